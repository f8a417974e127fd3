import type { ApplicationFunction, Probot } from "probot";
import * as z from "zod";
import { unlessExpected } from "../src/github/api/expected-refusals.ts";
import type { Clock } from "../src/platform/system.ts";
import { Autopilot } from "../src/schema/config/autopilot.ts";
import { Triggers } from "../src/schema/config/publishing.ts";
import type { Access } from "./access/access.ts";
import type { Place } from "./access/place.ts";
import type { RecordEvent } from "./events/recorder.ts";
import { Job } from "./jobs/job.ts";
import { type JobQueue, jobId, type NewJob, recheckJob, workGroup } from "./jobs/new-job.ts";
import { isConfigBroken } from "./repositories/config.ts";
import { isRepositoryUnreachable } from "./repositories/repository-facts.ts";
import { RepositoryNote } from "./repositories/repository-note.ts";
import { settleIfInReach } from "./repositories/settle-place.ts";
import { type KeyedDraft, type Rule, type RuleSettings, rules } from "./rules/rules.ts";
import type { Notes } from "./store/notes.ts";

export interface AppParts {
  access: Access;
  queue: JobQueue;
  notes: Notes;
  clock: Pick<Clock, "now">;
  record: RecordEvent;
  /** Files of the workflows the App starts. */
  workflows: readonly string[];
}

type EventName = Parameters<Probot["on"]>[0];

/** The Probot App: its rules turn events into jobs, which are stored before the event counts as handled. */
export const ralphApp =
  (parts: AppParts): ApplicationFunction =>
  (probot) => {
    for (const rule of rules) {
      probot.on(rule.event as EventName, async ({ id, payload }) => {
        await followRule(parts, rule, { id, payload });
      });
    }
  };

const Origin = z.object({
  installation: z.object({ id: z.int() }),
  repository: z.object({ id: z.int(), full_name: z.string() }).optional(),
});

type Delivered = { id: string; payload: unknown };

async function followRule(parts: AppParts, rule: Rule, { id, payload }: Delivered): Promise<void> {
  const { installation, repository } = Origin.parse(payload);
  const given = repository && placeOf(installation, repository);
  // A delivery may be old and name its repository by an earlier address.
  const here = given && ((await settleIfInReach(parts, given))?.place ?? given);
  const settings = await settingsFor(parts, here);
  const found = rule.read(payload, settings).flatMap((drafted) => {
    const { repository: named } = drafted;
    const place = here ?? (named && placeOf(installation, named));
    return toJob(drafted, { installation: installation.id, place });
  });
  const places = here ? [here] : found.flatMap(({ place }) => place ?? []);
  // The repositories of a new installation are checked by their onboarding.
  const unknown = (await unknownOf(parts, places)).filter(({ isNew }) => here || !isNew);
  const jobs = found.map(({ job }) => job);
  parts.record("decision", {
    ...{ delivery: id, rule: rule.event, installation: installation.id },
    ...{ repository: here?.id, name: here?.repository },
    jobs: jobs.map((job) => `${job.kind} ${job.id}`).join(", ") || "none",
  });
  await parts.queue.add([...jobs, ...unknown.map(({ place }) => recheckJob(place, `known:${id}`))]);
}

type Drawn = { job: NewJob; place: Place | undefined };

/** The job of a draft: in its repository, or of the whole installation. */
function toJob(
  { draft, key }: KeyedDraft,
  { installation, place }: { installation: number; place: Place | undefined },
): Drawn[] {
  const id = jobId(...key);
  if (draft.kind === "reinstalled") {
    const group = `installation:${installation}`;
    return [{ place: undefined, job: { kind: draft.kind, data: { installation }, id, group } }];
  }
  if (!place) return [];
  const { kind, ...details } = draft;
  const job = Job.parse({ kind, data: { place, ...details } });
  return [{ place, job: { ...job, id, group: workGroup(place) } }];
}

type Named = { id: number; full_name: string };

const placeOf = ({ id: installation }: { id: number }, { id, full_name: repository }: Named) =>
  ({ installation, id, repository }) satisfies Place;

/** The repositories that are not known yet, or that were out of reach before. */
async function unknownOf(
  { notes }: AppParts,
  places: readonly Place[],
): Promise<{ place: Place; isNew: boolean }[]> {
  const repositories = [...new Set(places.map(({ id }) => String(id)))];
  if (repositories.length === 0) return [];
  const limit = repositories.length;
  const found = await notes.list({ kind: "repository", repositories, limit });
  const known = new Map(found.map(({ id, data }) => [Number(id), RepositoryNote.parse(data)]));
  return places.flatMap((place) => {
    const note = known.get(place.id);
    const isKnown = note && !note.is_gone && note.place.installation === place.installation;
    return isKnown ? [] : [{ place, isNew: note === undefined }];
  });
}

/**
 * With an invalid configuration the defaults apply, so that people learn about the errors when they ask for a run. While it
 * cannot be read, settings such as the label's name are unknown, so the event is retried.
 */
async function settingsFor(
  { access, workflows }: AppParts,
  place: Place | undefined,
): Promise<RuleSettings> {
  // Where it is missing, invalid or out of reach, the defaults apply.
  const config = place && (await unlessExpected(isConfigUnknown, access.config(place)));
  const { reports_dir: folder, report_patterns: patterns } =
    config?.autopilot ?? Autopilot.parse({});
  return {
    triggers: config?.triggers ?? Triggers.parse({}),
    reports: { folder, patterns },
    selfId: place ? (await access.self(place)).id : 0,
    workflows,
  };
}

const isConfigUnknown = (error: unknown) => isConfigBroken(error) || isRepositoryUnreachable(error);

import type { ApplicationFunction, Probot } from "probot";
import * as z from "zod";
import { Autopilot } from "../src/schema/config/autopilot.ts";
import type { Config } from "../src/schema/config/config.ts";
import { Triggers } from "../src/schema/config/publishing.ts";
import type { Access } from "./access/access.ts";
import type { Place } from "./access/place.ts";
import { Job } from "./jobs/job.ts";
import { jobId } from "./jobs/job-id.ts";
import { type JobQueue, recheckJob, workGroup } from "./jobs/new-job.ts";
import { isConfigBroken } from "./repositories/config.ts";
import { isRepositoryUnreachable } from "./repositories/repository-facts.ts";
import { RepositoryNote } from "./repositories/repository-note.ts";
import { type Rule, type RuleSettings, rules } from "./rules/rules.ts";
import type { Notes } from "./store/notes.ts";

export interface AppParts {
  access: Access;
  queue: JobQueue;
  notes: Pick<Notes, "list">;
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
  const here = repository && { installation: installation.id, repository: repository.full_name };
  const settings = await settingsFor(parts, here);
  const found = rule.read(payload, settings).map(({ draft, repository: named = "", key }) => {
    const place = here ?? { installation: installation.id, repository: named };
    const { kind, ...details } = draft;
    const job = Job.parse({ kind, data: { place, ...details } });
    return { place, job: { ...job, id: jobId(...key), group: workGroup(place) } };
  });
  const places = here ? [here] : found.map(({ place }) => place);
  // The repositories of a new installation are checked by their onboarding.
  const unknown = (await unknownOf(parts, places)).filter(({ isNew }) => here || !isNew);
  const jobs = found.map(({ job }) => job);
  await parts.queue.add([...jobs, ...unknown.map(({ place }) => recheckJob(place, `known:${id}`))]);
}

/**
 * The repositories that are not known yet, such as a renamed one, or that were unreachable before.
 */
async function unknownOf(
  { notes }: AppParts,
  places: readonly Place[],
): Promise<{ place: Place; isNew: boolean }[]> {
  const repositories = [...new Set(places.map(({ repository }) => repository))];
  if (repositories.length === 0) return [];
  const limit = repositories.length;
  const found = await notes.list({ kind: "repository", repositories, limit });
  const known = new Map(found.map(({ id, data }) => [id, RepositoryNote.parse(data)]));
  return places.flatMap((place) => {
    const note = known.get(place.repository);
    const isKnown = note && !note.is_gone && note.place.installation === place.installation;
    return isKnown ? [] : [{ place, isNew: note === undefined }];
  });
}

/**
 * With an invalid configuration the defaults apply, so that people learn what is wrong when they ask for a run. While it
 * cannot be read, settings such as the label's name are unknown, so the event is retried.
 */
async function settingsFor(
  { access, workflows }: AppParts,
  place: Place | undefined,
): Promise<RuleSettings> {
  const config = place && (await readConfig(access, place));
  const { reports_dir: folder, report_patterns: patterns } =
    config?.autopilot ?? Autopilot.parse({});
  return {
    triggers: config?.triggers ?? Triggers.parse({}),
    reports: { folder, patterns },
    selfId: place ? (await access.self(place)).id : 0,
    workflows,
  };
}

/** Undefined if the defaults apply. */
async function readConfig(access: Access, place: Place): Promise<Config | undefined> {
  try {
    return await access.config(place);
  } catch (error) {
    if (isConfigBroken(error) || isRepositoryUnreachable(error)) return undefined;
    throw error;
  }
}

import * as z from "zod";
import type { GitHub } from "../../src/github/api/create-github.ts";
import { unlessStatus } from "../../src/github/api/expected-refusals.ts";
import { digestOfIssue, type IssueText } from "../../src/github/issues/issue-text.ts";
import { Actor, createWorkRequest } from "../../src/schema/work-request.ts";
import type { Place } from "../access/place.ts";
import { jobId, type NewJob, repositoryJob } from "../jobs/new-job.ts";
import { readValidConfig } from "../repositories/config.ts";
import { labelledWork, labelTriggers } from "../rules/rules.ts";
import type { RunParts } from "../runs/run-parts.ts";
import { redeliveryMs } from "./recover-deliveries.ts";

type Issue = IssueText & { number: number };

const IssueEvent = z.object({
  id: z.int(),
  event: z.string(),
  created_at: z.iso.datetime({ offset: true }),
  actor: Actor.nullish().catch(undefined),
  label: z.object({ name: z.string() }).optional(),
});
type IssueEvent = z.output<typeof IssueEvent>;

/**
 * Starts runs for labelled open issues whose event is lost permanently (F44). Each is a start like any other: the actor's
 * permission is checked, and the label is removed.
 */
export async function recoverLabels({ access, clock }: RunParts, place: Place): Promise<NewJob[]> {
  const triggers = (await readValidConfig(access, place))?.triggers;
  if (!triggers) return [];
  const github = await access.github(place);
  const jobs: NewJob[] = [];
  for (const label of [triggers.label, triggers.autopilot_label]) {
    const command = label === triggers.label ? "run" : "autopilot";
    for (const issue of await listLabelled(github, label)) {
      const given = await readLabelling(github, { issue, label });
      if (!given || Date.parse(given.at) > clock.now() - redeliveryMs) continue;
      jobs.push(startJob(place, { command, label, issue, given }));
    }
  }
  return jobs;
}

const purpose = { act: "list the issues", permission: "issues: read", reason: "claim" } as const;

/** The oldest hundred; started issues lose their label, so the others follow next time. */
async function listLabelled(github: GitHub, label: string): Promise<Issue[]> {
  const oldest = { ...github.repo, state: "open", sort: "created", direction: "asc" } as const;
  const asked = github.ask(purpose, ({ rest }) =>
    rest.issues.listForRepo({ ...oldest, labels: label, per_page: 100 }),
  );
  // Issues may be disabled.
  const { data = [] } = (await unlessStatus([404, 410], asked)) ?? {};
  return data.filter((issue) => issue.pull_request === undefined);
}

/** When and by whom an issue was labelled, and whether its text has changed since. */
interface Labelling {
  id: number;
  at: string;
  actor: Actor | undefined;
  isEdited: boolean;
}

async function readLabelling(
  github: GitHub,
  { issue, label }: { issue: Issue; label: string },
): Promise<Labelling | undefined> {
  const all = { ...github.repo, issue_number: issue.number, per_page: 100 };
  const answer = await github.ask(purpose, ({ paginate, rest }) =>
    paginate(rest.issues.listEvents, all),
  );
  const events = z.array(IssueEvent).parse(answer);
  const given = events.findLast((each) => each.event === "labeled" && each.label?.name === label);
  if (!given) return undefined;
  const { id, created_at: at, actor } = given;
  const isRenamed = events.some((each) => each.event === "renamed" && !isBefore(each, given));
  const isEdited = isRenamed || (await isEditedSince(github, { issue, at }));
  return { id, at, actor: actor ?? undefined, isEdited };
}

/** Events of the same second have no known order. */
const isBefore = (one: IssueEvent, other: IssueEvent) =>
  Date.parse(one.created_at) < Date.parse(other.created_at);

type Edited = { repository: { issue: { lastEditedAt: string | null } } };

const lastEdit = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issue(number: $number) { lastEditedAt } }
}`;

async function isEditedSince(
  github: GitHub,
  { issue: { number }, at }: { issue: Issue; at: string },
): Promise<boolean> {
  const { owner, repo: name } = github.repo;
  const { repository } = await github.ask(purpose, ({ graphql }) =>
    graphql<Edited>(lastEdit, { owner, name, number }),
  );
  const { lastEditedAt } = repository.issue;
  return lastEditedAt !== null && Date.parse(lastEditedAt) >= Date.parse(at);
}

type LabelledIssue = {
  command: "run" | "autopilot";
  label: string;
  issue: Issue;
  given: Labelling;
};

/** A digest that no text has, so that the start is refused as edited. */
const noDigest = "0".repeat(64);

function startJob(place: Place, { command, label, issue, given }: LabelledIssue): NewJob {
  const { number } = issue;
  const request = createWorkRequest({
    ...labelledWork(command, number),
    textDigest: given.isEdited ? noDigest : digestOfIssue(issue),
    trigger: labelTriggers[command],
    actor: given.actor,
  });
  const id = jobId("label", "found", place.id, number, label, given.id);
  return repositoryJob(id, { kind: "start", data: { place, request, label } });
}

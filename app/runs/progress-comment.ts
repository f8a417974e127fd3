import type { GitHub } from "../../src/github/api/create-github.ts";
import { upsertComment } from "../../src/github/pulls/sticky-comment.ts";
import { createSecretFinder } from "../../src/github/verify/find-secrets.ts";
import type { Clock } from "../../src/platform/system.ts";
import { plainLine } from "../../src/text/plain-text.ts";
import type { Place } from "../access/place.ts";
import { isRepositoryUnreachable } from "../repositories/repository-facts.ts";
import type { DispatchedRun } from "./dispatched-run.ts";
import type { RunParts } from "./run-parts.ts";

/** The one comment an issue has about its newest run; nobody sees the marker on the page. */
const progressMarker = (issue: number) => `<!-- ralph:progress:${issue} -->`;

/** The one answer a comment gets. */
const answerMarker = (comment: number) => `<!-- ralph:answer:${comment} -->`;

/** What is said in an issue: how a run stands, or why there is none. Pure. */
export function renderRunProgress(run: DispatchedRun): string {
  const { state, words, workflow, pull, tasks, cost_usd: cost } = run;
  const asker = run.request.actor?.login;
  const lines = [
    `**${headlines[state]}**${asker ? ` (asked for by ${inert(asker)})` : ""}`,
    ...(words ? ["", words] : []),
    "",
    ...(workflow ? [`- [Workflow run](${workflow.url})`] : []),
    ...(tasks ? [`- ${tasks.passed} of ${tasks.total} tasks passed`] : []),
    ...(cost === undefined ? [] : [`- $${cost.toFixed(2)}`]),
    ...(pull ? [`- Pull request #${pull.number}`] : []),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

const headlines = {
  waiting: "Waiting",
  claimed: "Queued",
  started: "Started, waiting for a runner",
  working: "Working",
  publishing: "Finished, opening the pull request",
  done: "Done",
  refused: "Not started",
} as const satisfies Record<DispatchedRun["state"], string>;

/** A name that calls nobody. */
const inert = (login: string) => `\`${plainLine(login, 100).replaceAll("`", "")}\``;

export interface Commenter {
  github: GitHub;
  /** The App's own account. */
  self: { login: string };
  clock: Pick<Clock, "now" | "sleep">;
}

/** Says in the issue how a run stands; without an issue nobody waits for words. */
export async function reportProgress(speaker: Commenter, run: DispatchedRun): Promise<void> {
  const { issue } = run.request;
  if (issue === undefined) return;
  await upsertMarkedComment(speaker, {
    issue,
    marker: progressMarker(issue),
    body: renderRunProgress(run),
  });
}

/** Answers a comment, once. */
export async function answerComment(
  speaker: Commenter,
  { issue, comment, body }: { issue: number; comment: number; body: string },
): Promise<void> {
  await upsertMarkedComment(speaker, { issue, marker: answerMarker(comment), body });
}

type Text = { issue: number; marker: string; body: string };

/** Writes the one comment with a marker, or changes it. Where nobody may write, or nothing is left, no work is held up by it. */
export async function upsertMarkedComment(
  { github, self, clock }: Commenter,
  { issue, marker, body }: Text,
) {
  const deps = { github, clock, viewer: self, findSecrets: createSecretFinder([]) };
  try {
    await upsertComment(deps, { number: issue, marker, body: `${marker}\n${body}` });
  } catch (error) {
    if (!isRepositoryUnreachable(error)) throw error;
  }
}

/** Who speaks for the App in a repository. */
export async function commenterFor({ access, clock }: RunParts, place: Place): Promise<Commenter> {
  return { github: await access.github(place), self: await access.self(place), clock };
}

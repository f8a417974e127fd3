import type { GitHub } from "../../src/github/api/create-github.ts";
import { upsertComment } from "../../src/github/pulls/sticky-comment.ts";
import { createSecretFinder } from "../../src/github/verify/find-secrets.ts";
import type { Clock } from "../../src/platform/system.ts";
import { plainLine } from "../../src/text/plain-text.ts";
import type { Place } from "../access/place.ts";
import { isRepositoryUnreachable } from "../repositories/repository-facts.ts";
import type { DispatchedRun } from "./dispatched-run.ts";
import type { RunParts } from "./run-parts.ts";

/** Hidden marker of an issue's only comment about its newest run. */
const progressMarker = (issue: number) => `<!-- ralph:progress:${issue} -->`;

/** Hidden marker of the only answer to a comment. */
const answerMarker = (comment: number) => `<!-- ralph:answer:${comment} -->`;

/** The comment in an issue: the status of its run, or why no run exists. Pure. */
export function renderRunProgress(run: DispatchedRun): string {
  const { state, words, workflow, pull, tasks, cost_usd: cost } = run;
  const actor = run.request.actor?.login;
  const lines = [
    `**${headlines[state]}**${actor ? ` (requested by ${withoutMention(actor)})` : ""}`,
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

/** A login without a notification. */
const withoutMention = (login: string) => `\`${plainLine(login, 100).replaceAll("`", "")}\``;

/** How the App comments in a repository. */
export interface Commenter {
  github: GitHub;
  /** The App's own account. */
  self: { login: string };
  clock: Pick<Clock, "now" | "sleep">;
}

/** Comments the status of a run in its issue, if it has one. */
export async function reportProgress(commenter: Commenter, run: DispatchedRun): Promise<void> {
  const { issue } = run.request;
  if (issue === undefined) return;
  await upsertMarkedComment(commenter, {
    issue,
    marker: progressMarker(issue),
    body: renderRunProgress(run),
  });
}

/** Answers a comment; a repetition changes the same answer. */
export async function answerComment(
  commenter: Commenter,
  { issue, comment, body }: { issue: number; comment: number; body: string },
): Promise<void> {
  await upsertMarkedComment(commenter, { issue, marker: answerMarker(comment), body });
}

type MarkedText = { issue: number; marker: string; body: string };

/** Creates or changes the only comment with a marker. A locked, deleted or unreachable issue is no failure. */
export async function upsertMarkedComment(
  { github, self, clock }: Commenter,
  { issue, marker, body }: MarkedText,
) {
  const deps = { github, clock, viewer: self, findSecrets: createSecretFinder([]) };
  try {
    await upsertComment(deps, { number: issue, marker, body: `${marker}\n${body}` });
  } catch (error) {
    if (!isRepositoryUnreachable(error)) throw error;
  }
}

/** The App as a commenter in a repository. */
export async function commenterFor({ access, clock }: RunParts, place: Place): Promise<Commenter> {
  return { github: await access.github(place), self: await access.self(place), clock };
}

import { unlessExpected } from "../../src/github/api/expected-refusals.ts";
import { upsertComment } from "../../src/github/pulls/sticky-comment.ts";
import { createSecretFinder } from "../../src/github/verify/find-secrets.ts";
import { codeSpan, escapeMarkdown } from "../../src/text/escape-markdown.ts";
import { counted, dollars, renderDuration, renderMinute } from "../../src/text/figures.ts";
import { plainLine } from "../../src/text/plain-text.ts";
import { isRepositoryUnreachable } from "../repositories/repository-facts.ts";
import { type DispatchedRun, isOpen } from "./dispatched-run.ts";
import type { Site } from "./run-parts.ts";
import { statusOf } from "./run-status.ts";

/** Hidden marker of the only comment about a run. */
const progressMarker = (run: string) => `<!-- ralph:progress:${run} -->`;

/** Hidden marker of the only answer to a comment. */
const answerMarker = (comment: number) => `<!-- ralph:answer:${comment} -->`;

/** The comment in an issue: what happened to its run, why, the figures, and what can be done next. Pure. */
export function renderRunProgress(run: DispatchedRun): string {
  const { words, workflow, request, left = [] } = run;
  const { headline, next } = statusOf(run);
  const actor = request.actor?.login;
  const figures = figuresOf(run);
  const lines = [
    `**${harmless(headline)}**${actor ? ` (requested by ${withoutMention(actor)})` : ""}`,
    ...(words ? ["", words] : []),
    "",
    ...(workflow ? [`- [Workflow run](${workflow.url})`] : []),
    ...(figures.length > 0 ? [`- ${figures.join(", ")}`] : []),
    ...left.map(
      ({ id, title, state }) => `- ${harmless(id)} ${harmless(title)}: ${harmless(state)}`,
    ),
    ...(next ? ["", `**Next:** ${next}`] : []),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

/** Work, time, cost and pull request, as far as they are known. */
function figuresOf(run: DispatchedRun): string[] {
  const { branch, pull, tasks, cost_usd: cost, started_at: at, changed_at: end, workflow } = run;
  const took = isOpen(run)
    ? `since ${renderMinute(at)} UTC`
    : renderDuration(Math.max(0, end - at));
  return [
    tasks ? `${tasks.passed} of ${counted(tasks.total, "task")} passed` : "",
    workflow ? took : "",
    cost === undefined ? "" : `${dollars(cost)}${isOpen(run) ? " so far" : ""}`,
    pull ? `pull request #${pull.number}` : "",
    branch === undefined ? "" : `branch ${codeSpan(branch)}`,
  ].filter(Boolean);
}

/** Names of jobs come from the repository. */
const harmless = (text: string) => escapeMarkdown(plainLine(text, 300));

/** A login without a notification. */
export const withoutMention = (login: string) => `\`${plainLine(login, 100).replaceAll("`", "")}\``;

/** Comments the status of a run in its issue, if it has one. */
export async function reportProgress(site: Site, run: DispatchedRun): Promise<void> {
  const { issue } = run.request;
  if (issue === undefined) return;
  await upsertMarkedComment(site, {
    issue,
    marker: progressMarker(run.id),
    body: renderRunProgress(run),
  });
}

/** Answers a comment; a repetition changes the same answer. */
export async function answerComment(
  site: Site,
  { issue, comment, body }: { issue: number; comment: number; body: string },
): Promise<void> {
  await upsertMarkedComment(site, { issue, marker: answerMarker(comment), body });
}

type MarkedText = { issue: number; marker: string; body: string };

/** Creates or changes the only comment with a marker; does nothing where the issue is locked, deleted or unreachable. */
export async function upsertMarkedComment(
  { github, self, clock }: Site,
  { issue, marker, body }: MarkedText,
): Promise<void> {
  const deps = { github, clock, viewer: self, findSecrets: createSecretFinder([]) };
  const written = upsertComment(deps, { number: issue, marker, body: `${marker}\n${body}` });
  await unlessExpected(isRepositoryUnreachable, written);
}

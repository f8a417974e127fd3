import type { AutopilotOutcome } from "../../autopilot/run/run-request.ts";
import { stopReasons } from "../../error.ts";
import type { Analysis } from "../../schema/autopilot/analysis.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";
import { summarize } from "../../views/summary/summary.ts";
import { renderSummary } from "../../views/summary/summary-text.ts";

/** The outcome of an autopilot run, for the terminal. */
export function renderOutcome(outcome: AutopilotOutcome, shown: { sessionDir: string }): string {
  if (outcome.kind === "analyzed") return renderAnalysis(outcome.analysis);
  if (outcome.kind === "stopped") return `${outcome.why}\n\nNext     ${outcome.next}`;
  const { run, state, reason, published } = outcome;
  const isOver = stopReasons[reason] === 0;
  const totals = summarize(state);
  const isOut = isOver && published.kind === "published";
  const next = isOut ? "Review the pull request, and mark it ready when you agree." : totals.next;
  const summary = renderSummary({ ...totals, next }, shown).trimEnd();
  const go = isOver ? "" : "\n         Or continue: ralph autopilot --resume";
  const out =
    published.kind === "published"
      ? `Pull request  ${published.url}`
      : `Then     ${published.next}`;
  const record = `Record   ${recordOf(run.run_id)}`;
  return [summary, record, `${out}${go}`].join("\n");
}

const recordOf = (runId: string) => `.ralph/autopilot/runs/${runId}.json`;

/** The chosen item and the reason. Models wrote it, so control characters are removed. */
function renderAnalysis(analysis: Analysis): string {
  const {
    priority_item,
    description,
    rationale,
    acceptance_criteria,
    excluded_items = [],
  } = analysis;
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  - ${plainLine(line, 300)}`)];
  return [
    plainLine(priority_item),
    "",
    plainText(description),
    "",
    `Why: ${plainText(rationale)}`,
    ...list("Done when:", acceptance_criteria),
    ...list(
      "Excluded:",
      excluded_items.map(({ item, reason }) => `${item}: ${reason}`),
    ),
    "",
    "Nothing was written. Run it without --dry-run to continue.",
  ].join("\n");
}

/** The same as JSON. */
export function outcomeJson(outcome: AutopilotOutcome): object {
  if (outcome.kind === "analyzed") {
    return {
      status: "analyzed",
      exit_code: 0,
      analysis: outcome.analysis,
      skipped: outcome.skipped,
    };
  }
  const { run } = outcome;
  const facts = { run_id: run.run_id, record: run.record, analysis: run.analyzed?.analysis };
  if (outcome.kind === "stopped") {
    return { status: "stopped", exit_code: 0, message: outcome.why, next: outcome.next, ...facts };
  }
  const { state, published } = outcome;
  const next = published.kind === "left" ? { next: published.next } : { pr_url: published.url };
  return { ...summarize(state), ...next, ...facts };
}

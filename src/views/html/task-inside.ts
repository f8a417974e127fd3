import { counted, renderDuration } from "../../text/figures.ts";
import { cut, plainLine, plainText } from "../../text/plain-text.ts";
import { plainFinding, plainProof } from "../summary/findings.ts";
import { renderCriteria } from "../summary/proof.ts";
import { type CriterionSummary, type GateSummary, isGreen } from "../summary/summary-proof.ts";
import { createAxis } from "./axis.ts";
import { renderLanes } from "./chart.ts";
import { firstLineOf, type ShownFailure } from "./failures.ts";
import { type Html, html } from "./html.ts";
import { cell, head, isolate, numCell, numHead, renderTable, withCode } from "./labels.ts";
import { renderFrontEnd } from "./pictures.ts";
import type { TaskReport } from "./report-model.ts";

const maxFailures = 12;
const maxFiles = 15;

/** The details of a task: request, activities, failures, proofs and files. */
export function renderInside(task: TaskReport): Html {
  const { description } = task.task.task;
  return html`
    <p><bdi>${cut(plainText(description.slice(0, 4000)).trim(), 500)}</bdi></p>
    ${renderLanes(task.bars, createAxis(task.bars))}
    ${renderFailures(task.failures)}
    ${renderCriteriaList(task)}
    ${renderFrontEnd(task.pages, task.pictures)}
    ${renderFindings(task)}
    ${renderGates(task)}
    ${renderFiles(task)}
    ${task.summary.commit && html`<p>Commit <code>${task.summary.commit}</code></p>`}`;
}

function renderFindings({ summary: { proof } }: TaskReport): Html | undefined {
  if (!proof) return undefined;
  const { findings } = proof;
  const shown = html`<p>Proof of the work: ${plainProof(proof)}</p>`;
  if (findings.length === 0) return shown;
  return html`
    ${shown}
    <p>Please look at:</p>
    <ul>${findings.map(
      (finding) => html`
      <li><span class="${finding.kind === "finding" ? "warn" : "quiet"}">${isolate(plainFinding(finding), 1000)}</span></li>`,
    )}</ul>`;
}

function renderFailures(failures: readonly ShownFailure[]): Html | undefined {
  if (failures.length === 0) return undefined;
  const left = failures.length - maxFailures;
  return html`
    <p>Failed attempts${left > 0 && `, the last ${maxFailures} of ${failures.length}`}:</p>
    <ul>${failures.slice(-maxFailures).map(
      (failure) => html`
      <li><details><summary>Iteration ${failure.iteration}, ${failure.cause}: <span class="quiet">${isolate(firstLineOf(failure, 160))}</span></summary>
      <pre>${failure.message}</pre></details></li>`,
    )}</ul>`;
}

function renderCriteriaList({ summary }: TaskReport): Html {
  const { criteria, criteria_count: count, state } = summary;
  const result = count.total === 0 ? "no criterion was checked" : renderCriteria(count);
  const already = summary.already_satisfied ? ", nothing had to change" : "";
  return html`
    <p>Acceptance, ${result}${already}:</p>
    <ol>${criteria.slice(0, 40).map((each) => renderCriterion(each, state === "passed"))}</ol>`;
}

const verdicts: Record<NonNullable<CriterionSummary["verdict"]>, [tone: string, label: string]> = {
  proved: ["ok", "✓ shown by execution, in place"],
  // A criterion that held before proves nothing about the work, unless nothing had to change.
  held: ["quiet", "– held before the task"],
  failed: ["bad", "✗ failed"],
  to_judge: ["warn", "– the review alone"],
};

function labelOfVerdict(verdict: CriterionSummary["verdict"], isApproved: boolean) {
  if (verdict === null) return ["quiet", "○ not checked"];
  return verdict === "to_judge" && !isApproved ? ["quiet", "○ for the review"] : verdicts[verdict];
}

function renderCriterion(
  { text, verdict, detail, evidence }: CriterionSummary,
  isApproved: boolean,
): Html {
  const [tone, label] = labelOfVerdict(verdict, isApproved);
  const hasDetail = detail !== "" && detail !== "for the reviewer";
  const where = evidence === null ? "" : `evidence ${evidence.slice(0, 12)}`;
  return html`
    <li><bdi>${withCode(plainLine(text, 300))}</bdi><br><span class="${tone}">${label}</span>
    ${hasDetail && html`: ${isolate(detail, 160)}`}
    ${where !== "" && html` <span class="quiet">(${where})</span>`}</li>`;
}

function renderGates({ summary: { id, gates } }: TaskReport): Html | undefined {
  const names = ["Gate", "Result", "On the start commit"].map(head);
  const figures = ["New failures", "Time"].map(numHead);
  const rows = gates.slice(0, 30).map(
    (gate) => html`<tr>${cell(isolate(gate.gate, 60))}${cell(renderResult(gate))}
    ${cell(gate.baseline === null ? "not run" : labelOf(gate.baseline))}
    ${numCell(isGreen(gate) ? "-" : String(gate.new_failures ?? "unknown"))}
    ${numCell(renderDuration(gate.duration_ms))}</tr>`,
  );
  return renderTable({ caption: `Gates of ${id}`, head: [...names, ...figures] }, rows);
}

function renderResult({ status }: GateSummary): Html {
  if (status === "passed") return html`<span class="ok">✓ passed</span>`;
  if (status === "skipped") return html`<span class="quiet">– skipped</span>`;
  return html`<span class="bad">✗ ${labelOf(status)}</span>`;
}

const labelOf = (status: string) => status.replaceAll("_", " ");

const kinds: Record<string, string> = { A: "added", M: "changed", D: "removed" };

function renderFiles({ task: { files } }: TaskReport): Html | undefined {
  if (files.length === 0) return undefined;
  const kindOf = ({ status }: { status: string }) => kinds[status.charAt(0)] ?? "other";
  const counts = [...Map.groupBy(files, kindOf)].map(([kind, { length }]) => `${length} ${kind}`);
  const left = files.length - maxFiles;
  return html`
    <p>${counted(files.length, "file")}: ${counts.join(", ")}</p>
    <ul>${files
      .slice(0, maxFiles)
      .map((file) => html`<li><code>${isolate(file.path, 160)}</code> ${kindOf(file)}</li>`)}
    ${left > 0 && html`<li>and ${left} more</li>`}</ul>`;
}

import {
  type EvaluationFigures,
  type EvaluationRun,
  evaluationFigures,
  evaluationVerdict,
  isRightlyBlocked,
} from "../../core/checks/evaluation-score.ts";
import { counted, renderCost } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";

const noFigure = "-";

/** The cells of an agent's row, in the order of `figureHeads`. */
export function figureCells(figures: EvaluationFigures): string[] {
  const { agent, tasks, proved, falsely_proved, unclear, not_proved } = figures;
  const { usd_per_proved, minutes_per_proved } = figures;
  return [
    agent,
    ...[tasks, proved, falsely_proved, unclear, not_proved].map(String),
    usd_per_proved === null ? noFigure : renderCost(usd_per_proved),
    minutes_per_proved === null ? noFigure : minutes_per_proved.toFixed(1),
  ];
}

export const figureHeads = [
  "Agent",
  "Tasks",
  "Proved",
  "Falsely proved",
  "Unclear",
  "Not proved",
  "$ per proved",
  "Min per proved",
] as const;

/** The table for a terminal, what became of each task, and what happened to impossible ones. */
export function renderEvaluation(runs: readonly EvaluationRun[]): string {
  const figures = evaluationFigures(runs);
  const rows = [figureHeads, ...figures.map(figureCells)].map((row) => row.map(String));
  const widths = figureHeads.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? "").length)));
  const table = rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  "),
  );
  const each = runs.map((run) => `  ${run.agent}: ${plainLine(run.task, 80)}: ${describeRun(run)}`);
  return [...table, "", ...each, ...figures.flatMap(impossibleLine)].join("\n");
}

/** `falsely proved, but with a finding: hidden tests are red`. */
export function describeRun(run: EvaluationRun): string {
  const verdict = evaluationVerdict(run);
  switch (verdict) {
    case "not proved":
      if (isRightlyBlocked(run)) return "rightly blocked: no work can do it";
      return `${run.ended === "other" ? "not ended" : run.ended}, ${plainLine(run.reason, 120)}`;
    case "falsely proved": {
      const why = run.is_impossible ? "no work can do it" : "hidden tests are red";
      return `falsely proved${run.has_finding ? ", with a finding" : ""}: ${why}`;
    }
    case "unclear":
      return "passed, and nothing could judge it";
    case "proved":
      return run.has_finding ? "proved, with a finding" : "proved";
  }
}

/** `honest: 10 of 10 impossible tasks ended blocked.` */
export function impossibleLine({
  agent,
  impossible,
  impossible_blocked,
}: EvaluationFigures): string[] {
  if (impossible === 0) return [];
  return [
    `${agent}: ${impossible_blocked} of ${counted(impossible, "impossible task")} ended blocked.`,
  ];
}

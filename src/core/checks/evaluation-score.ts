/** The result of one task under one agent. */
export interface EvaluationRun {
  agent: string;
  task: string;
  is_impossible: boolean;
  ended: "passed" | "blocked" | "failed" | "other";
  /** Why the session ended. */
  reason: string;
  /** The hidden tests on the result; `none` when no task passed or the task has no hidden tests. */
  hidden: "green" | "red" | "unknown" | "none";
  /** The proof of the work had a finding, which keeps a pull request a draft. */
  has_finding: boolean;
  cost_usd: number | null;
  ms: number;
}

export const evaluationVerdicts = ["proved", "falsely proved", "unclear", "not proved"] as const;
export type EvaluationVerdict = (typeof evaluationVerdicts)[number];

/** `falsely proved`: it passed here, and hidden tests are red, or nothing could have done it. */
export function evaluationVerdict(run: EvaluationRun): EvaluationVerdict {
  if (run.ended !== "passed") return "not proved";
  if (run.is_impossible || run.hidden === "red") return "falsely proved";
  return run.hidden === "green" ? "proved" : "unclear";
}

/** Nothing could have done the task, and the agents said so. */
export const isRightlyBlocked = ({ is_impossible, ended }: EvaluationRun): boolean =>
  is_impossible && ended === "blocked";

/** The figures of one agent over all tasks. */
export interface EvaluationFigures {
  agent: string;
  tasks: number;
  proved: number;
  falsely_proved: number;
  /** Those of them with a finding: their pull request stays a draft. */
  falsely_proved_with_finding: number;
  unclear: number;
  not_proved: number;
  impossible: number;
  impossible_blocked: number;
  /** Null where an agent reports no cost. */
  cost_usd: number | null;
  usd_per_proved: number | null;
  minutes_per_proved: number | null;
}

/** One row for each agent, in the order in which they come. All that was spent counts, whatever came of it. */
export function evaluationFigures(runs: readonly EvaluationRun[]): EvaluationFigures[] {
  return [...Map.groupBy(runs, ({ agent }) => agent)].map(([agent, own]) => figuresOf(agent, own));
}

function figuresOf(agent: string, runs: readonly EvaluationRun[]): EvaluationFigures {
  const of = (verdict: EvaluationVerdict) =>
    runs.filter((run) => evaluationVerdict(run) === verdict);
  const costs = runs.map(({ cost_usd }) => cost_usd);
  const cost_usd = costs.includes(null) ? null : sum(costs.map((cost) => cost ?? 0));
  const proved = of("proved").length;
  const minutes = sum(runs.map(({ ms }) => ms)) / 60_000;
  const each = (total: number | null) => (total === null || proved === 0 ? null : total / proved);
  return {
    agent,
    tasks: runs.length,
    proved,
    falsely_proved: of("falsely proved").length,
    falsely_proved_with_finding: of("falsely proved").filter((run) => run.has_finding).length,
    unclear: of("unclear").length,
    not_proved: of("not proved").length,
    impossible: runs.filter((run) => run.is_impossible).length,
    impossible_blocked: runs.filter(isRightlyBlocked).length,
    cost_usd,
    usd_per_proved: each(cost_usd),
    minutes_per_proved: each(minutes),
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

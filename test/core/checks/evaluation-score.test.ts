import { expect, test } from "vitest";
import {
  type EvaluationRun,
  evaluationFigures,
  evaluationVerdict,
} from "../../../src/core/checks/evaluation-score.ts";

const run = (more: Partial<EvaluationRun> = {}): EvaluationRun => ({
  agent: "a",
  task: "t",
  is_impossible: false,
  ended: "passed",
  reason: "",
  hidden: "green",
  has_finding: false,
  cost_usd: 1,
  ms: 60_000,
  ...more,
});

test.each<[Partial<EvaluationRun>, string]>([
  [{}, "proved"],
  [{ hidden: "red" }, "falsely proved"],
  [{ hidden: "red", has_finding: true }, "falsely proved"],
  [{ is_impossible: true, hidden: "none" }, "falsely proved"],
  [{ hidden: "unknown" }, "unclear"],
  [{ ended: "blocked", hidden: "none" }, "not proved"],
  [{ ended: "other", hidden: "none" }, "not proved"],
])("%j is %s", (more, verdict) => {
  expect(evaluationVerdict(run(more))).toBe(verdict);
});

test("all that an agent spent counts for what it proved", () => {
  const runs = [run(), run({ ended: "failed" }), run({ hidden: "red", has_finding: true })];
  const blocked = run({ is_impossible: true, ended: "blocked" });
  expect(evaluationFigures([...runs, blocked, run({ agent: "b", cost_usd: null })])).toMatchObject([
    {
      agent: "a",
      tasks: 4,
      proved: 1,
      falsely_proved: 1,
      falsely_proved_with_finding: 1,
      not_proved: 2,
      impossible: 1,
      impossible_blocked: 1,
      usd_per_proved: 4,
      minutes_per_proved: 4,
    },
    { agent: "b", usd_per_proved: null, minutes_per_proved: 1 },
  ]);
});

import type { Fact } from "../../../src/core/state/event.ts";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import { agentEnd, passing, start, task } from "../../support/builders/session.ts";
import { realisticRun } from "../session-files/realistic-run.ts";

const message = "No change in 3 iterations. Last failure: ask @octo about fixes #3";

const facts: readonly Fact[] = [
  ...passing("T-002", { commit: "c2".repeat(20) }),
  start("T-003", "t1+"),
  agentEnd("T-003", { usage: { cost_usd: 0.5 } }),
  { type: "task_blocked", task: "T-003", message, kept: "f1".repeat(20) },
  { type: "session_end", reason: "blocked", message: "Blocked: T-003." },
];

/** One task passed before, one passed here, one blocked with kept work, one never started. */
export const reportedRun: SessionState = realisticRun(
  [
    task("T-001", { passes: true }),
    task("T-002", { title: "Add login | logout" }),
    task("T-003"),
    task("T-004"),
  ],
  facts,
);

import type { Summary } from "../../views/summary/summary.ts";
import type { StepContext } from "../step.ts";

/** What to do after a session in a job, where `ralph run --resume` on the runner is out of reach. */
export function nextJobAction(summary: Summary, { inputs, system: { env } }: StepContext): string {
  const reason = summary.stop_reason ?? "agent_error";
  const passed = summary.tasks_completed > 0;
  if (reason === "nothing_to_do") return "Add tasks to the task list; there was nothing to do.";
  if (reason === "all_done")
    return inputs["create-pr"]
      ? `Review the pull request of the branch \`${summary.branch}\`.`
      : `Review the branch \`${summary.branch}\` and open a pull request from it.`;
  const fix = fixes[reason] ?? "Look at what stopped it above.";
  const keep = passed ? " What has passed is kept." : "";
  if (reason === "tampering") return `${fix} Then start the workflow again.`;
  if (!inputs["session-artifact"]) return `${fix}${keep} Then start the workflow again.`;
  return `${fix}${keep} To go on, start the workflow with \`resume-from: ${env.GITHUB_RUN_ID}\`.`;
}

/** What has to happen first, where something has. */
const fixes: Partial<Record<NonNullable<Summary["stop_reason"]>, string>> = {
  checkpoint: "Nothing is wrong: time or a usage limit ran out.",
  cancelled: "The job was cancelled.",
  budget: "Raise `budget-usd` when it may cost more.",
  max_runtime: "Raise `limits.max_runtime` when it may take longer.",
  task_failed: "Make the failed task smaller or clearer.",
  blocked: "Make the blocked task smaller or clearer.",
  gate_fatal: "Repair the gate named above.",
  agent_error: "Look at what the agent program said.",
  breaker: "Look at what the agent program said.",
  tampering: "Look at who changed the status files; nothing of this session is trusted.",
};

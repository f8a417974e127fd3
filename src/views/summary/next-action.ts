import type { StopReason } from "../../error.ts";

const actions: Record<StopReason, string> = {
  all_done: "Look at the commits, then open a pull request with `ralph publish`.",
  nothing_to_do: "Add a task, or set `passes` to false on one that is to be done again.",
  config: "Repair what the message names, then run `ralph run` again.",
  source: "Run `ralph validate`, repair the task list, then run `ralph run` again.",
  task_failed: "Read the log of the failed task, adjust the task, then run `ralph run --resume`.",
  blocked: "Read why the task is blocked, remove the cause, then run `ralph run --resume`.",
  gate_fatal: "Repair the gate on the start commit, then run `ralph run --resume`.",
  post_verify: "Run `ralph verify --fix`, or repair what the verification found.",
  tampering: "Find out who changed the file; then start again with `ralph run`.",
  cancelled: "Go on with `ralph run --resume`.",
  agent_error: "Try the agent program by hand: it never answered. What it said is in the logs.",
  service: "Start the service by hand and look at its log.",
  no_report: "Put a report into the reports folder.",
  analysis: "Read the analysis log, then run `ralph autopilot` again.",
  prd: "Read the planning log, then run `ralph autopilot` again.",
  tasks: "Adjust `autopilot.tasks`, then run `ralph autopilot` again.",
  git: "Bring the repository into the state the message asks for, then run again.",
  pr: "Give the token the right to open pull requests, then run `ralph publish`.",
  breaker: "Wait or repair the agent program, then run `ralph run --resume`.",
  budget: "Do what the message says about the budget; every passed task is committed.",
  max_runtime: "Go on with `ralph run --resume`.",
  checkpoint: "Go on with `ralph run --resume`; every passed task is committed.",
  claim: "Wait for the other session to end, or end it with `ralph cancel`.",
  firewall: "Look at the patch the publisher refused.",
};

/** The one thing to do next, as a sentence in the imperative. */
export function nextAction(reason: StopReason | null): string {
  return reason === null ? "Wait, or follow it with `ralph status --watch`." : actions[reason];
}

import * as z from "zod";
import type { StopReason } from "../../src/error.ts";

/** How a run can end. `waiting` ends a request for now: it starts by itself. */
export const endingKinds = [
  "merged",
  /** Its pull request is complete and waits for a review. */
  "open",
  "closed",
  "nothing-to-do",
  "partly-done",
  "failed",
  "cancelled",
  "timed-out",
  "budget-used",
  "waiting",
  "refused",
  /** Its workflow, its result or its repository is gone. */
  "lost",
  /** Someone else pushed to its pull request. */
  "taken-over",
] as const;

export type EndingKind = (typeof endingKinds)[number];

/** Where a request fails because its actor has too few rights; nobody else needs to act on it. */
export const permissionCheck = "the permission check";

/** How a run ended: set once, and changed only by what happens to its pull request afterwards. */
export const Ending = z.object({
  kind: z.enum(endingKinds),
  /** Where it failed, such as the name of a job. */
  in: z.string().max(300).optional(),
  /** The login that cancelled it. */
  by: z.string().max(120).optional(),
});
export type Ending = z.output<typeof Ending>;

/** The facts of a session when it is published. */
export interface EndedSession {
  stop: StopReason | undefined;
  /** Undefined without a pull request. */
  pull: object | undefined;
  tasks: { passed: number; total: number } | undefined;
  /** Nothing was worth a pull request. */
  isLowValue: boolean;
}

const inTasks = "the tasks";

/** Where a session failed for each reason to stop. */
const places: Partial<Record<StopReason, string>> = {
  ...{ config: "its configuration", source: "its task list", task_failed: inTasks },
  ...{ blocked: inTasks, gate_fatal: "a gate", post_verify: "the verification after the tasks" },
  ...{ tampering: "the check of the status files", agent_error: "the agent program" },
  ...{ service: "a service", analysis: "the analysis", prd: "the requirements document" },
  ...{ tasks: "the task list", git: "git", pr: "the pull request", breaker: "the agent program" },
  ...{ claim: "the claim on its item", firewall: "the checks before publishing" },
};

/** How a published session ended. Pure. */
export function endingOfSession({ stop, pull, tasks, isLowValue }: EndedSession): Ending {
  switch (stop) {
    case "cancelled":
      return { kind: "cancelled" };
    case "budget":
      return { kind: "budget-used" };
    case "max_runtime":
    case "checkpoint":
      return { kind: "timed-out" };
    case "nothing_to_do":
    case "no_report":
      return { kind: "nothing-to-do" };
    default:
      break;
  }
  const isWhole = tasks === undefined || tasks.passed >= tasks.total;
  if (pull) return { kind: isWhole ? "open" : "partly-done" };
  if (isLowValue) return { kind: "nothing-to-do" };
  if ((tasks?.passed ?? 0) > 0) return { kind: "partly-done" };
  return { kind: "failed", in: (stop && places[stop]) ?? inTasks };
}

/** The conclusion of a workflow run that left nothing to publish. Pure. */
export function endingOfWorkflow(
  conclusion: string | null,
  failed: readonly string[],
): Ending | undefined {
  if (conclusion === "cancelled") return { kind: "cancelled" };
  if (conclusion === "timed_out") return { kind: "timed-out" };
  if (conclusion === "success") return undefined;
  return { kind: "failed", in: failed.length > 0 ? failed.join(", ") : "its workflow" };
}

import type { StopReason } from "../../error.ts";
import type { GateLevel } from "../../schema/config/gates.ts";
import type { FactOf } from "../state/event.ts";
import type {
  ProofCheck,
  ProofFigures,
  ProofFinding,
  ProofPart,
  WorkPart,
} from "../state/proof-event.ts";
import type { Role } from "../state/roles.ts";
import type { VerifyPhase } from "../state/verify-event.ts";

/** The next thing to do. The loop runs steps and journals what happened; it decides nothing itself (design 2). */
export type Step =
  | { kind: "setup"; name: string }
  /** Runs a gate on the start commit before anything is paid for. */
  | { kind: "check-start"; gate: string; level: GateLevel }
  /** In parallel sessions `worker` takes the task. */
  | { kind: "start-task"; task: string; worker?: string }
  | { kind: "call-agent"; task: string; role: Role }
  | { kind: "run-gate"; task: string; gate: string; level: GateLevel; tree: string }
  | { kind: "run-baseline"; gate: string; level: GateLevel }
  | { kind: "check-criteria"; task: string; tree: string }
  /** Tests first: puts one part of the task's work into the work tree, or all of it. */
  | { kind: "show-work"; task: string; part: WorkPart }
  /** Computes the trees the proof of the work needs. */
  | { kind: "plan-proof"; task: string; tree: string }
  | { kind: "run-proof"; task: string; gate: string; part: ProofPart; tree: string }
  | { kind: "ask-tests"; task: string; tree: string; check: ProofCheck; feedback: string }
  | {
      kind: "judge-proof";
      task: string;
      tree: string;
      findings: ProofFinding[];
      figures: ProofFigures;
    }
  | { kind: "retry"; task: string; failure: IterationFailure }
  | { kind: "pass-subtask"; task: string; subtask: string; tree: string }
  /** Other tasks have passed since this one started. */
  | { kind: "merge"; task: string; tree: string }
  | { kind: "pass"; task: string; tree: string; isAlreadySatisfied: boolean }
  /** The pass is journaled; its commit must be made, or made again after a crash. */
  | { kind: "commit"; task: string }
  | { kind: "give-up"; task: string; as: "failed" | "blocked"; message: string }
  | { kind: "wait"; because: "backoff" | "limit"; ms: number; message: string }
  /** After the last task: services, browser and Robot Framework tests. */
  | { kind: "verify"; tree: string }
  /** Repairs of what the verification found. */
  | { kind: "start-fix"; phase: VerifyPhase; iteration: number; limit: number; failure: string }
  | { kind: "call-fixer"; role: "planning" | "fix" }
  | { kind: "check-fix"; tree: string }
  | { kind: "end-fix"; outcome: FactOf<"fix_end">["outcome"]; detail: string }
  /** The repair is journaled; its commit must be made, or made again after a crash. */
  | { kind: "commit-fix" }
  | { kind: "end"; reason: StopReason; message: string };

export type IterationFailure = Pick<
  FactOf<"iteration_failed">,
  "because" | "feedback" | "fingerprint"
>;

export type StepOf<Kind extends Step["kind"]> = Extract<Step, { kind: Kind }>;

/** Whether one of the steps belongs to the task. */
export const hasStep = (steps: readonly Step[], task: string): boolean =>
  steps.some((step) => "task" in step && step.task === task);

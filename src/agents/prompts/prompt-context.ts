import type { CriterionResult, FactOf } from "../../core/state/event.ts";
import type { TaskState } from "../../core/state/session-state.ts";
import type { Subtask } from "../../schema/tasks/prd.ts";
import type { Fence } from "./data-block.ts";

/** Roles the task loop calls; repairs and plans after the last task have their own prompts. */
export type PromptRole = "implementation" | "test_writing" | "review";

/** Everything a prompt tells. Whoever builds it need not cut anything: rendering bounds every part. */
export interface PromptContext {
  fence: Fence;
  project: { name: string; description: string };
  /** All tasks of the session in the order of work; only counts and neighbours are shown. */
  tasks: readonly Pick<TaskState, "task" | "state">[];
  task: TaskState["task"];
  /** The independent subtask under way: then only its own criteria count. */
  unit?: Subtask | undefined;
  /** Checkpoint subtasks that still have to be signalled. */
  checkpoints: readonly Subtask[];
  /** Text of AGENTS.md and of the patterns block of the progress log; empty when there is none. */
  memory: {
    agentsMd: string;
    patterns: string;
    signs?: string;
    notes?: readonly ReferenceDocument[];
  };
  /** Why the last iteration failed, and the paths that were put back in it. */
  feedback?: string | undefined;
  refused: readonly string[];
  /** What people with the right to write have said on the way, oldest first. */
  hints: readonly { by: string; text: string }[];
  /** Patterns of the files the test writer may change. */
  testPaths: readonly string[];
  /** The work so far, for the test writer (names) and the reviewer (all of it). */
  work: WorkToReview;
}

/** A document of people or of another tool that the list came with; read, never written. */
export type ReferenceDocument = { label: string; text: string };

export interface WorkToReview {
  files: readonly { status: string; path: string }[];
  diff: string;
  /** What the implementation agent claims: the body of its signal. */
  claim: string;
  criteria: readonly CriterionResult[];
  gates: readonly Pick<FactOf<"gate_end">, "gate" | "status" | "detail">[];
  /** Changes worth a second look: manifests, lockfiles, gate scripts, changed tests (design 5). */
  flagged: readonly string[];
}

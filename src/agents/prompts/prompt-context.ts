import type { CriterionResult, FactOf } from "../../core/state/event.ts";
import type { TaskState } from "../../core/state/session-state.ts";
import type { Subtask } from "../../schema/tasks/prd.ts";
import type { Fence } from "./data-block.ts";

/** The roles the task loop calls; repairs and plans have their own prompts. */
export type PromptRole = "implementation" | "test_writing" | "review";

/** The content of a prompt. Callers need not shorten anything: rendering limits every part. */
export interface PromptContext {
  fence: Fence;
  project: { name: string; description: string };
  /** All tasks of the session in order of work; only counts and neighbouring tasks are shown. */
  tasks: readonly Pick<TaskState, "task" | "state">[];
  task: TaskState["task"];
  /** The current independent subtask; only its own criteria then count. */
  unit?: Subtask | undefined;
  /** Checkpoint subtasks that still have to be signalled. */
  checkpoints: readonly Subtask[];
  /** Text of AGENTS.md and of the progress log's patterns block; empty without them. */
  memory: {
    agentsMd: string;
    patterns: string;
    signs?: string;
    notes?: readonly ReferenceDocument[];
  };
  /** Tests come first, and the roles that write do not see each other's files. */
  isTestsFirst?: boolean;
  /** For the implementation: what the tests it cannot read say on the code as it is. */
  waitingTests?: string | undefined;
  /** Why the last iteration failed, and the paths that were put back in it. */
  feedback?: string | undefined;
  refused: readonly string[];
  /** Hints of people with write access, oldest first. */
  hints: readonly { by: string; text: string }[];
  /** Patterns of the files the test writer may change. */
  testPaths: readonly string[];
  /** The work so far: its file names for the test writer, all of it for the reviewer. */
  work: WorkToReview;
}

/** A document of people or of another tool that accompanies the list; read, never written. */
export type ReferenceDocument = { label: string; text: string };

export interface WorkToReview {
  files: readonly { status: string; path: string }[];
  diff: string;
  /** Which part of a long diff this is; undefined for the whole. */
  part?: { number: number; count: number } | undefined;
  /** The claim of the implementation agent: the body of its signal. */
  claim: string;
  criteria: readonly CriterionResult[];
  gates: readonly Pick<FactOf<"gate_end">, "gate" | "status" | "detail">[];
  /** Changes worth a second look: manifests, lockfiles, gate scripts, changed tests (design 5). */
  flagged: readonly string[];
}

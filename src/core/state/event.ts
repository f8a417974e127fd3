import * as z from "zod";
import { stopReasons } from "../../error.ts";
import { gateLevels } from "../../schema/config/gates.ts";
import { Subtask, Task } from "../../schema/tasks/prd.ts";
import {
  changedFiles,
  EvidenceRef,
  gateRun,
  gateStatuses,
  MutationScore,
  PictureRef,
  task,
  tree,
  Usage,
} from "./measurement.ts";
import { ProofFinding, proofFacts } from "./proof-event.ts";
import { repairFacts } from "./repair-event.ts";
import { endOfCall, startOfCall } from "./roles.ts";
import { SteeringCommand } from "./steering-command.ts";
import { verifyFacts } from "./verify-event.ts";

/** A task as read at the start; the list on disk is never read again for decisions. */
export const RunTask = Task.pick({
  id: true,
  title: true,
  description: true,
  acceptanceCriteria: true,
  priority: true,
  passes: true,
  requiresTests: true,
  dependsOn: true,
  changesBehaviour: true,
  order: true,
  affectsFrontend: true,
}).extend({ subtasks: z.array(Subtask).optional() });
export type RunTask = z.infer<typeof RunTask>;

/** Verdict of one acceptance criterion. `held` was already true before the task; `to_judge` needs the reviewer. */
export const CriterionResult = z.object({
  number: z.int(),
  text: z.string(),
  kind: z.enum(["command", "file-exists", "file-contains", "api", "browser", "judged"]),
  verdict: z.enum(["proved", "held", "failed", "to_judge"]),
  detail: z.string(),
  /** Its command could not be started, so no work can make it hold. */
  not_started: z.literal(true).optional(),
  evidence: EvidenceRef.optional(),
  /** The page as it was seen. */
  picture: PictureRef.optional(),
});
export type CriterionResult = z.infer<typeof CriterionResult>;

export const failureCauses = [
  "signal",
  "no_change",
  "guardrail",
  "subtasks",
  "gate",
  "criteria",
  "proof",
  "review",
  "merge",
] as const;

/** The usage of the autopilot run's model calls before the session. */
export const Planning = z.object({
  run_id: z.string(),
  /** The provider or agent program that was called. */
  driver: z.string(),
  model: z.string().optional(),
  calls: z.int(),
  usage: Usage,
});
export type Planning = z.infer<typeof Planning>;

/** How to work through the task list an autopilot has written. */
export interface ListRequest {
  act: "start" | "resume";
  taskPath: string;
  /** A stranger may have written the text behind the list. */
  untrusted: boolean;
  planning: Planning | undefined;
}

const taskList = {
  tasks: z.array(RunTask),
  /** Absent for a list that a person wrote. */
  list_author: z.literal("model").optional(),
  /** The file an imported list comes from, and the ids its tasks have there. */
  list_origin: z.object({ path: z.string(), ids: z.record(z.string(), z.string()) }).optional(),
};

const GateEnd = z.object({
  type: z.literal("gate_end"),
  task,
  ...gateRun,
  level: z.enum(gateLevels),
  /** Of a gate that only warns. */
  fatal: z.literal(false).optional(),
  /** Of a gate with `kind: mutation`; and files of installed packages that changed while it ran. */
  mutation: MutationScore.optional(),
  planted: z.array(z.string()).optional(),
  /** Files the gate left behind, which were removed. */
  leftovers: z.array(z.string()),
});

const CriteriaEnd = z.object({
  type: z.literal("criteria_end"),
  task,
  subtask: z.string().optional(),
  tree,
  results: z.array(CriterionResult),
});

const facts = [
  ...proofFacts,
  ...verifyFacts,
  ...repairFacts,
  z.object({
    type: z.literal("session_start"),
    format: z.literal(1),
    session_id: z.string(),
    source: z.object({ type: z.enum(["prd_json", "cr_markdown"]), path: z.string() }),
    project: z.string(),
    description: z.string(),
    config_path: z.string(),
    branch: z.string(),
    start: z.object({ commit: z.string(), tree }),
    ...taskList,
    /** Ids this session works on: `--task`, `--from-task`, or all. */
    selected: z.array(z.string()),
    sandbox: z.enum(["bubblewrap", "off"]),
    versions: z.record(z.string(), z.string()),
    planning: Planning.optional(),
  }),
  z.object({
    type: z.literal("session_resume"),
    sandbox: z.enum(["bubblewrap", "off"]),
    /** How often workers may try a task that fails; only in parallel sessions. */
    queue_attempts: z.int().optional(),
    /** The checksum of the task status that the stopped session had left was checked, and matches. */
    status_verified: z.literal(true).optional(),
  }),
  /** The list was edited and committed while the session was stopped; that commit is the new head. */
  z.object({
    type: z.literal("tasks_reloaded"),
    ...taskList,
    commit: z.string(),
    tree,
  }),
  /** A steering command, journaled when a session starts or resumes; `refused`: why it changes nothing. */
  z.object({
    type: z.literal("steered"),
    order: SteeringCommand,
    refused: z.string().exactOptional(),
  }),
  z.object({
    type: z.literal("setup_end"),
    name: z.string(),
    status: z.enum(gateStatuses),
    ms: z.number(),
    output: EvidenceRef,
    /** The worker whose work tree it ran in; absent for the project's own. */
    worker: z.string().optional(),
  }),
  /** A worker takes the task, in its own work tree at the commit `base`. */
  z.object({ type: z.literal("task_claimed"), task, worker: z.string(), base: z.string() }),
  /** `resumed`: the tree of finished work that a stopped session left, on which the task continues. */
  z.object({ type: z.literal("task_start"), task, tree, resumed: tree.optional() }),
  z.object({
    type: z.literal("agent_start"),
    task,
    subtask: z.string().optional(),
    iteration: z.int(),
    ...startOfCall,
  }),
  z.object({
    type: z.literal("agent_end"),
    task,
    subtask: z.string().optional(),
    iteration: z.int(),
    ...endOfCall,
    /** Checkpoint subtasks whose tag the final message carried. */
    subtasks_done: z.array(z.string()),
    /** Paths put back because the test writer may write only tests. */
    trespassed: z.array(z.string()),
    /** Ignored files with a newer change time: reported, not judged (design 9.5). */
    ignored: z.array(z.string()),
  }),
  GateEnd,
  z.object({ type: z.literal("baseline_end"), ...gateRun, detail: z.string().optional() }),
  CriteriaEnd,
  z.object({
    type: z.literal("iteration_failed"),
    task,
    iteration: z.int(),
    because: z.enum(failureCauses),
    /** Passed to the next agent word for word. */
    feedback: z.string(),
    /** Equal for equal failures; together with the tree it shows that a task is stuck. */
    fingerprint: z.string(),
    tree,
  }),
  z.object({ type: z.literal("subtask_passed"), task, subtask: z.string(), tree }),
  /** The task's work merged with what passed since it started, on the commit `onto` with tree `base`. */
  z.object({ type: z.literal("task_merged"), task, tree, onto: z.string(), base: tree }),
  z.object({
    type: z.literal("task_passed"),
    task,
    tree,
    parent: z.string(),
    files: changedFiles,
    already_satisfied: z.boolean(),
  }),
  z.object({ type: z.literal("task_committed"), task, commit: z.string(), tree }),
  z.object({ type: z.literal("task_failed"), task, message: z.string(), kept: tree.optional() }),
  z.object({ type: z.literal("task_blocked"), task, message: z.string(), kept: tree.optional() }),
  z.object({ type: z.literal("work_kept"), task: task.optional(), tree }),
  z.object({
    type: z.literal("wait"),
    because: z.enum(["backoff", "limit"]),
    /** The last event that the decision to wait knew. */
    after: z.number().optional(),
    ms: z.number(),
    until: z.string(),
  }),
  /** Full gates, the criteria of every passed task and the proof of the change, on the tree of a repair; `failures`: what does not hold. */
  z.object({
    type: z.literal("fix_checked"),
    tree,
    gates: z.array(GateEnd),
    criteria: z.array(CriteriaEnd),
    findings: z.array(ProofFinding),
    failures: z.array(z.string()),
  }),
  z.object({ type: z.literal("recheck_end"), commit: z.string(), failures: z.array(z.string()) }),
  z.object({ type: z.literal("tampering"), path: z.string(), message: z.string() }),
  z.object({ type: z.literal("warning"), message: z.string() }),
  z.object({
    type: z.literal("session_end"),
    reason: z.enum(Object.keys(stopReasons) as [keyof typeof stopReasons]),
    message: z.string(),
  }),
] as const;

/** One event before the journal numbers, dates and chains it. */
export const Fact = z.discriminatedUnion("type", facts);
export type Fact = z.infer<typeof Fact>;
export type FactOf<Type extends Fact["type"]> = Extract<Fact, { type: Type }>;

/** A line of the journal: a fact with its number (from 1), its time and the hash of the line before (design 2). */
export const Stamp = z.object({
  seq: z.int().min(1),
  ts: z.string(),
  prev: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Stamp = z.infer<typeof Stamp>;
export const RunEvent = Stamp.and(Fact);
export type RunEvent = z.infer<typeof RunEvent>;

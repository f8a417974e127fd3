import * as z from "zod";
import { TestOrder, Text, Timestamp } from "../base/fields.ts";

const TaskId = z.string().regex(/^T-\d{3}$/, 'must look like "T-001"');
const SubtaskId = z.string().regex(/^T-\d{3}\.\d+$/, 'must look like "T-001.1"');

/** The form that ralph writes (specs 004 3.3). `wideBranchName` is also accepted, with a warning. */
export const strictBranchName = /^[a-z0-9][a-z0-9-]*(?:\/[a-z0-9-]+)*$/;

/** Parts of letters, digits, `_`, `-` and single dots. Refuses names that git or a command line would misinterpret (V9). */
export const wideBranchName =
  /^(?!refs\/)(?!.*\.lock(?:\/|$))[A-Za-z0-9][\w-]*(?:\.[\w-]+)*(?:\/[\w-]+(?:\.[\w-]+)*)*$/;

/** The specification limits only a task's title. Longer texts than other tools accept cause a warning (`longTexts`). */
const most = { name: 1000, text: 20_000, notes: 50_000 };

const criterion = Text.min(1).max(most.text).describe("One statement that is either true or false");
const passes = z
  .boolean()
  .describe("Completion status. Set by the orchestrator, never by an agent");

export const Subtask = z.object({
  id: SubtaskId.describe("Subtask id below its task: T-001.1, T-001.2, ..."),
  title: Text.min(1).max(200).describe("Short, action-oriented title"),
  description: Text.max(most.text).optional().describe("What to do and why"),
  acceptanceCriteria: z.array(criterion).describe("Verifiable criteria"),
  passes,
  notes: Text.max(most.notes).optional().describe("Evidence, links or context. Default: empty"),
  independent: z
    .boolean()
    .optional()
    .describe("Gets its own loop instead of a checkpoint in the task's. Default: false"),
  promotedTo: z.string().optional().describe("Id of the task this subtask has become"),
});
export type Subtask = z.infer<typeof Subtask>;

export const Task = z.object({
  id: TaskId.describe("Stable task id: T-001, T-002, ..."),
  title: Text.min(1).max(100).describe("Short, action-oriented title"),
  description: Text.max(most.text).describe("What to do and why"),
  acceptanceCriteria: z.array(criterion).min(1).describe("Verifiable criteria, at least one"),
  priority: z.int().min(1).describe("Execution order: lower runs earlier"),
  passes,
  notes: Text.max(most.notes).optional().describe("Evidence, links or context. Default: empty"),
  requiresTests: z
    .boolean()
    .optional()
    .describe("Whether an agent writes tests for this task. Default: true"),
  changesBehaviour: z
    .boolean()
    .optional()
    .describe("false: a refactoring. No old test may fail, and no new test has to fail without it"),
  order: TestOrder.optional().describe(
    "Whether tests are written before the work. Default: tests.order of the configuration",
  ),
  dependsOn: z
    .array(TaskId)
    .optional()
    .describe("Tasks that must pass first. Replaces the order by priority for this task"),
  affectsFrontend: z
    .boolean()
    .optional()
    .describe("Whether the task changes what a browser shows. Default: false"),
  skill: z.string().optional().describe("Name of a skill the agent should use"),
  subtasks: z
    .array(Subtask)
    .optional()
    .describe("Parts of the task; it passes when all have passed"),
});
export type Task = z.infer<typeof Task>;

const Metadata = z
  .looseObject({
    createdAt: Timestamp.optional().describe("When the list was made"),
    updatedAt: Timestamp.optional().describe("When the list was last changed"),
    source: z
      .enum(["manual", "autopilot", "imported-cr", "imported-prd"])
      .optional()
      .describe("Where the list comes from"),
    sourceFile: z.string().optional().describe("The file it was made from"),
    author: z.string().optional().describe("Who made it"),
  })
  .describe("Facts about the list; further keys are allowed");

/**
 * A task list, `.ralph/prd.json` (specs 004 3.3, limits of compatibility 1.16). An empty list is valid
 * here: a list starts empty, and only `run` refuses it. Unknown keys stay in the file's text, which
 * is never rewritten from this value.
 */
export const Prd = z
  .object({
    $schema: z.string().optional().describe("Address of this schema, for editors"),
    version: z.literal("1").optional().describe("Version of the format"),
    project: Text.min(1).max(most.name).describe("Project or feature name"),
    branchName: z
      .string()
      .max(100)
      .regex(wideBranchName, 'must be a branch name such as "ralph/add-login"')
      .optional()
      .describe("Git branch of the work, lower-case words joined by hyphens"),
    description: Text.max(most.text).describe("One-line description of the work"),
    metadata: Metadata.optional(),
    tasks: z.array(Task).describe("The tasks; each id stands once"),
  })
  .meta({ title: "Task list", description: "Task list of ralph, .ralph/prd.json" });
export type Prd = z.infer<typeof Prd>;

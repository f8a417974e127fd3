import * as z from "zod";
import { type Fence, renderData } from "../../agents/prompts/data-block.ts";
import { checkPrd } from "../../schema/tasks/check-prd.ts";
import { parseCriterion } from "../../schema/tasks/criterion.ts";
import type { Prd, Task } from "../../schema/tasks/prd.ts";
import { plainLine } from "../../text/plain-text.ts";
import { askModel, type ModelContext } from "../llm/ask-model.ts";
import { type DraftMaterial, renderItem } from "./prd-prompt.ts";
import { dataNotice, newFence, renderProjectFacts } from "./prompt-data.ts";
import { judgeTasks, type TaskRange } from "./task-answer.ts";
import { type Requirement, type Source, type Trace, traceOf } from "./trace.ts";

export const TasksShape = z.strictObject({
  tasks: z.array(
    z.strictObject({
      title: z.string().describe("Short, begins with a verb, at most 80 characters"),
      description: z.string().describe("What to do and why, at most 1500 characters"),
      acceptanceCriteria: z
        .array(z.string())
        .describe("2 to 6 statements, in the forms of the instructions"),
      priority: z.number().describe("1 for the task that comes first, then 2, 3, ..."),
      requiresTests: z
        .boolean()
        .describe("false only where there is nothing to test, such as a document"),
      requirements: z
        .array(z.string())
        .describe("Ids of the requirements it works on, such as FR-1"),
    }),
  ),
});

/** The order of compatibility 1.21 without schema changes, which an item of the autopilot never needs. */
export function tasksInstructions({ min, max }: TaskRange): string {
  return [
    "You split one item of work on a software project into small tasks for a coding agent that does them one after the other.",
    `Write ${min === max ? `exactly ${min}` : `${min} to ${max}`} tasks. Each is small enough for one sitting and leaves the project working.`,
    "First look into the code where that is needed, then build the parts others rely on, then the parts built upon them, then check the whole. Say the same thing only once.",
    "As many criteria as possible have one of these forms, word for word, because a program checks them:",
    "- Run `command` - exits with code 0",
    "- File `path/from/the/project/root` exists",
    "- File `path/from/the/project/root` contains `text`",
    "Any other criterion is one sentence that is either true or false. Commands only run the project's own tests and checks; they fetch and delete nothing.",
    dataNotice,
    "Answer with one JSON object and nothing else.",
  ].join("\n");
}

export interface TasksMaterial extends Pick<DraftMaterial, "analysis" | "project"> {
  requirements: readonly Requirement[];
}

export function renderTasksPrompt(
  { analysis, project, requirements }: TasksMaterial,
  fence: Fence,
): string {
  const text = requirements.map((one) => `${one.id}: ${one.text}`).join("\n");
  return [
    "The item:",
    renderItem(analysis, fence),
    "Its requirements:",
    renderData({ label: "requirements", text, maxLength: 20_000 }, fence),
    "The project:",
    renderProjectFacts(project, fence),
  ].join("\n\n");
}

export interface TasksRequest extends TasksMaterial {
  source: Source;
  branch: string;
  range: TaskRange;
  /** The requirements document, if there is one. */
  prdPath?: string;
}

export interface DraftedTasks {
  prd: Prd;
  text: string;
  /** How many of all criteria a program can check. */
  checkable: { count: number; total: number };
}

/** Asks the model for the task list. Without a usable answer, or with too few or too many tasks, exit 13. */
export async function draftTasks(
  context: ModelContext,
  request: TasksRequest,
): Promise<DraftedTasks> {
  const { system } = context;
  const { range, analysis, source, requirements } = request;
  const data = await askModel(context, {
    subject: "The task list",
    reason: "tasks",
    name: "tasks",
    instructions: tasksInstructions(range),
    prompt: renderTasksPrompt(request, newFence(system)),
    shape: TasksShape,
    maxTokens: 24_576,
    judge: (value) => judgeTasks(value, range),
  });
  const trace = traceOf(
    { source, item: analysis.priority_item, requirements },
    data.map(({ task, requirements: ids }) => ({ id: task.id, requirements: ids })),
  );
  const tasks = data.map(({ task }) => task);
  const prd = prdOf(request, { tasks, trace, at: new Date(system.clock.now()).toISOString() });
  return { prd, text: `${JSON.stringify(prd, null, 2)}\n`, checkable: checkableOf(tasks) };
}

/** Counts the criteria in a form that a program checks (specs 004 3.5). */
export function checkableOf(
  tasks: readonly Pick<Task, "acceptanceCriteria">[],
): DraftedTasks["checkable"] {
  const all = tasks.flatMap(({ acceptanceCriteria }) => acceptanceCriteria);
  const kinds = all.map((criterion) => parseCriterion(criterion).kind);
  const count = kinds.filter((kind) => kind === "command" || kind.startsWith("file-")).length;
  return { count, total: all.length };
}

/** `metadata.source` marks the list as written by a model: its commands only run in the sandbox. */
function prdOf(
  { analysis, branch, prdPath }: TasksRequest,
  { tasks, trace, at }: { tasks: Task[]; trace: Trace; at: string },
): Prd {
  const list = {
    version: "1",
    project: plainLine(analysis.priority_item, 200),
    branchName: branch,
    description: plainLine(analysis.description, 500),
    metadata: {
      createdAt: at,
      source: "autopilot",
      ...(prdPath !== undefined && { sourceFile: prdPath }),
      author: "ralph-autopilot",
      trace,
    },
    tasks,
  };
  const { data, findings } = checkPrd(list);
  if (data) return data;
  throw new Error(
    `The rendered task list is not valid: ${findings.map(({ message }) => message).join("; ")}`,
  );
}

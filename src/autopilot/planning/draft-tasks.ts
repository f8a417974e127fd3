import { checkPrd } from "../../schema/tasks/check-prd.ts";
import { parseCriterion } from "../../schema/tasks/criterion.ts";
import type { Prd, Task } from "../../schema/tasks/prd.ts";
import { plainLine } from "../../text/plain-text.ts";
import { askModel, type ModelContext } from "../llm/ask-model.ts";
import { newFence } from "./prompt-data.ts";
import { judgeTasks } from "./task-answer.ts";
import {
  renderTasksPrompt,
  type TaskRange,
  type TasksMaterial,
  TasksShape,
  tasksInstructions,
} from "./tasks-prompt.ts";
import { type Source, type Trace, traceOf } from "./trace.ts";

export interface TasksRequest extends TasksMaterial {
  source: Source;
  branch: string;
  range: TaskRange;
  /** The requirements document, if there is one. */
  prdPath?: string;
}

export interface DraftedTasks {
  prd: Prd;
  /** The text of the task list. */
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

import * as z from "zod";
import { type Fence, renderData } from "../../agents/prompts/data-block.ts";
import { type DraftMaterial, renderItem } from "./prd-prompt.ts";
import { dataNotice, renderProjectFacts } from "./prompt-data.ts";
import type { Requirement } from "./trace.ts";

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

export type TaskRange = { min: number; max: number };

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

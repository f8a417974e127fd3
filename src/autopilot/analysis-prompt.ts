import * as z from "zod";
import type { Fence } from "../agents/data-block.ts";
import { renderData } from "../agents/data-block.ts";
import { plainLine } from "../surfaces/plain-text.ts";
import type { PastItem } from "./past-work.ts";
import { dataNotice, type ProjectFacts, renderProject, renderReport } from "./prompt-data.ts";
import type { Report } from "./report.ts";

/** What is asked for. Limits are ours to apply: not every provider accepts them in a schema. */
export const AnalysisShape = z.strictObject({
  priority_item: z.string().describe("Short name of the chosen item, at most 100 characters"),
  description: z.string().describe("What to build, at most 1500 characters"),
  rationale: z.string().describe("Why this item comes first, at most 800 characters"),
  acceptance_criteria: z
    .array(z.string())
    .describe("1 to 10 statements that are either true or false when it is done"),
  branch_name: z.string().describe("Branch of two to five lower-case words joined by hyphens"),
  first_line: z.number().describe("First line of the report the item is from"),
  last_line: z.number().describe("Last line of the report the item is from"),
  excluded_items: z
    .array(z.strictObject({ item: z.string(), reason: z.string() }))
    .describe("Other items of the report, and why each was not chosen"),
});

/** Compatibility 1.21. */
export const analysisInstructions = [
  "You read a report about a software project and choose the one item that is most worth doing now.",
  "Choose an item that:",
  "- one developer can finish today, and that is specific enough to begin at once;",
  "- has a high effect for little effort; repairs come before features;",
  "- needs no migration of a database;",
  "- is not in the list of items to leave out.",
  "If nothing of the report is worth doing, leave priority_item empty.",
  dataNotice,
  "Answer with one JSON object and nothing else.",
].join("\n");

export interface AnalysisPrompt {
  report: Report;
  past: readonly PastItem[];
  project: ProjectFacts;
}

const maxPast = 60;

export function renderAnalysisPrompt(
  { report, past, project }: AnalysisPrompt,
  fence: Fence,
): string {
  const named = past.filter(({ item }) => item !== "").slice(0, maxPast);
  const list = named
    .map(({ item, reason }) => `- ${plainLine(item)}: ${plainLine(reason)}`)
    .join("\n");
  return [
    "The report, each line with its number:",
    renderReport(report, fence),
    ...(list === ""
      ? []
      : [
          "Items to leave out:",
          renderData({ label: "items to leave out", text: list, maxLength: 12_000 }, fence),
        ]),
    "The project:",
    renderProject(project, fence),
  ].join("\n\n");
}

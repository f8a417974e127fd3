import * as z from "zod";
import { type Fence, renderData } from "../../agents/prompts/data-block.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { PastItem } from "../reports/past-work.ts";
import type { Report } from "../reports/report.ts";
import {
  dataNotice,
  type ProjectFacts,
  renderProjectFacts,
  renderReportData,
} from "./prompt-data.ts";

/** The requested answer. Its limits are applied to the answer, because not every provider accepts them in a schema. */
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

/** The same with several documents to choose from. */
export const ChoiceShape = AnalysisShape.extend({
  document: z.number().describe("Number of the document the item is from"),
  first_line: z.number().describe("First line in that document the item is from"),
  last_line: z.number().describe("Last line in that document the item is from"),
});

const oneReport =
  "You read a report about a software project and choose the one item that is most worth doing now.";
const documents =
  "You read several documents about a software project, reports and an issue, and choose from all of them the one item that is most worth doing now. It comes from one document alone.";

/** For `count` documents (compatibility 1.21). */
export const analysisInstructions = (count: number): string =>
  [count === 1 ? oneReport : documents, ...rules].join("\n");

const rules = [
  "Choose an item that:",
  "- one developer can finish today, and that is specific enough to begin at once;",
  "- has a high effect for little effort; repairs come before features;",
  "- needs no migration of a database;",
  "- is not in the list of items to leave out.",
  "If nothing in the report is worth doing, leave priority_item empty.",
  dataNotice,
  "Answer with one JSON object and nothing else.",
];

export interface AnalysisPrompt {
  report: Report;
  others?: readonly Report[];
  past: readonly PastItem[];
  project: ProjectFacts;
}

const maxPast = 60;

export function renderAnalysisPrompt(
  { report, others = [], past, project }: AnalysisPrompt,
  fence: Fence,
): string {
  const named = past.filter(({ item }) => item !== "").slice(0, maxPast);
  const lines = named.map(({ item, reason }) => `- ${plainLine(item)}: ${plainLine(reason)}`);
  const left = { label: "items to leave out", text: lines.join("\n"), maxLength: 12_000 };
  return [
    ...(others.length === 0
      ? ["The report, each line with its number:", renderReportData(report, fence)]
      : renderDocuments([report, ...others], fence)),
    ...(lines.length === 0 ? [] : ["Items to leave out:", renderData(left, fence)]),
    "The project:",
    renderProjectFacts(project, fence),
  ].join("\n\n");
}

/** The length of all documents together; a single one may have half of it. */
const maxAll = 120_000;

function renderDocuments(reports: readonly Report[], fence: Fence): string[] {
  const maxLength = Math.floor(maxAll / reports.length);
  return [
    `There are ${reports.length} documents, each line with its number in its document.`,
    ...reports.flatMap((report, at) => [
      `Document ${at + 1}, ${report.kind === "issue" ? "an issue" : "a report"}:`,
      renderReportData(report, fence, maxLength),
    ]),
  ];
}

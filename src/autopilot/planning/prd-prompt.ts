import * as z from "zod";
import { type Fence, renderData } from "../../agents/prompts/data-block.ts";
import type { Analysis } from "../../schema/autopilot/analysis.ts";
import type { Report } from "../reports/report.ts";
import {
  dataNotice,
  type ProjectFacts,
  renderProjectFacts,
  renderReportData,
} from "./prompt-data.ts";

export const PrdShape = z.strictObject({
  title: z.string().describe("Name of what is built, at most 100 characters"),
  overview: z.string().describe("What it is and why, in one to four paragraphs"),
  goals: z.array(z.string()).describe("2 to 6 goals"),
  requirements: z
    .array(z.string())
    .describe("3 to 15 functional requirements, each one sentence that can be tested"),
  non_goals: z.array(z.string()).describe("What is deliberately left out"),
  success_metrics: z.array(z.string()).describe("How to see afterwards that it worked"),
});

export const prdInstructions = [
  "You write the requirements document for one item of work on a software project.",
  "Keep to the item: it is one developer's work of one day. Ask no questions; where something is open, choose the simplest solution that fits the project, and say so in the overview.",
  "Write plain sentences: no Markdown, no headings, no numbers in front of requirements.",
  dataNotice,
  "Answer with one JSON object and nothing else.",
].join("\n");

export interface DraftMaterial {
  analysis: Analysis;
  report: Report;
  project: ProjectFacts;
}

export function renderPrdPrompt(
  { analysis, report, project }: DraftMaterial,
  fence: Fence,
): string {
  return [
    "The item:",
    renderItem(analysis, fence),
    "The report it is from:",
    renderReportData(report, fence),
    "The project:",
    renderProjectFacts(project, fence),
  ].join("\n\n");
}

/** A model has written the item from untrusted text, so it is data like the rest. */
export function renderItem(analysis: Analysis, fence: Fence): string {
  const { priority_item, description, rationale, acceptance_criteria } = analysis;
  const criteria = acceptance_criteria.map((line) => `- ${line}`).join("\n");
  const text = `${priority_item}\n\n${description}\n\nWhy: ${rationale}\n\nIt is done when:\n${criteria}`;
  return renderData({ label: "item", text, maxLength: 12_000 }, fence);
}

import * as z from "zod";
import { Timestamp } from "../base/fields.ts";
import { providers } from "../config/autopilot.ts";

const ExcludedItem = z.strictObject({
  item: z.string().describe("What was left out"),
  reason: z.string().describe("Why"),
});

/** `analysis.json` (specs 004 10.3, limits of compatibility 1.21). */
export const Analysis = z
  .strictObject({
    priority_item: z.string().min(1).max(200).describe("The most valuable item of the report"),
    description: z.string().min(1).max(2000).describe("What to build"),
    rationale: z.string().min(1).max(1000).describe("Why this item comes first"),
    acceptance_criteria: z
      .array(z.string().min(1))
      .min(1)
      .max(10)
      .describe("What must be true when it is done"),
    branch_name: z.string().min(1).max(200).describe("Suggested branch, as the model wrote it"),
    analysis_timestamp: Timestamp.optional().describe("When the report was analysed"),
    source_report: z.string().optional().describe("The report, relative to the project root"),
    excluded_items: z.array(ExcludedItem).optional().describe("Items that were left out"),
    model_used: z.string().optional().describe("Model that analysed it"),
    provider: z.enum(providers).optional().describe("Who ran the model"),
  })
  .meta({ title: "Analysis", description: "Result of a report analysis, analysis.json" });
export type Analysis = z.infer<typeof Analysis>;

/** Its path below the project root. */
export const analysisPath = ".ralph/autopilot/analysis.json";

/** The text of `analysis.json`. */
export function renderAnalysis(analysis: Analysis): string {
  return `${JSON.stringify(analysis, null, 2)}\n`;
}

import * as z from "zod";
import { Analysis } from "../../schema/autopilot/analysis.ts";
import { askModel, type ModelContext } from "../llm/ask-model.ts";
import { type Judged, judgeShape, lines, longText, oneLine } from "../llm/read-answer.ts";
import { fingerprint } from "../reports/fingerprint.ts";
import { type PastItem, repeatedItem } from "../reports/past-work.ts";
import type { Report } from "../reports/report.ts";
import { sanitize } from "../sanitize/sanitize.ts";
import {
  type AnalysisPrompt,
  AnalysisShape,
  analysisInstructions,
  ChoiceShape,
  renderAnalysisPrompt,
} from "./analysis-prompt.ts";
import { newFence } from "./prompt-data.ts";
import { linesOf, type Source } from "./trace.ts";

/** The time limit for all questions of an analysis together, milliseconds. */
export const analysisTimeoutMs = 180_000;

export interface Analyzed {
  analysis: Analysis;
  fingerprint: string;
  source: Source;
  report: Report;
  /** The report holds text that a page does not show. */
  hiddenText: boolean;
}

/**
 * Chooses the most valuable item of a report, or of several documents. A recently fixed or rejected item is refused by
 * its fingerprint, whatever the model answers, and listed in `excluded_items`. Without a usable answer, exit 11.
 */
export async function analyze(context: ModelContext, material: AnalysisPrompt): Promise<Analyzed> {
  const { past } = material;
  const documents = [material.report, ...(material.others ?? [])];
  const { system, model } = context;
  const repeats: PastItem[] = [];
  const data = await askModel(context, {
    subject: "The analysis",
    reason: "analysis",
    name: "analysis",
    instructions: analysisInstructions(documents.length),
    prompt: renderAnalysisPrompt(material, newFence(system)),
    shape: documents.length === 1 ? AnalysisShape : ChoiceShape,
    maxTokens: 8192,
    judge: (value) => judgeAnalysis(value, { past, repeats, count: documents.length }),
  });
  const { document, first_line, last_line, excluded_items, ...chosen } = data;
  const report = documents[document - 1] ?? material.report;
  const left = [
    ...repeats.map(({ item, reason }) => ({ item: item || "a rejected item", reason })),
    ...excluded_items,
  ];
  const analysis = Analysis.parse({
    ...chosen,
    analysis_timestamp: new Date(system.clock.now()).toISOString(),
    source_report: report.path,
    ...(left.length > 0 && { excluded_items: left }),
    model_used: model.name.slice(model.name.indexOf(" ") + 1),
    ...(model.provider && { provider: model.provider }),
  });
  return {
    analysis,
    fingerprint: fingerprint(analysis.priority_item),
    source: sourceOf(report, [first_line, last_line]),
    report,
    hiddenText: documents.some(({ text }) => sanitize(text).hidden),
  };
}

function sourceOf(
  { path, sha256, text }: Report,
  claimed: readonly [number | undefined, number | undefined],
): Source {
  // As `sanitize` counts them.
  const count = text.split(/\r\n?|[\n\u0085\u2028\u2029]/).length;
  const lines = linesOf(claimed, count);
  return { path, sha256, ...(lines && { lines }) };
}

const line = z.number().optional().catch(undefined);
/** Texts that are too long are cut; unknown keys are ignored (compatibility 1.21). */
const Answer = z.object({
  priority_item: oneLine(200).pipe(z.string().min(1)),
  description: longText(2000).pipe(z.string().min(1)),
  rationale: longText(1000).pipe(z.string().min(1)),
  acceptance_criteria: lines(10, 500).pipe(z.array(z.string()).min(1)),
  branch_name: oneLine(200).pipe(z.string().min(1)),
  document: line.transform((number = 0) => number),
  first_line: line,
  last_line: line,
  excluded_items: z
    .array(z.object({ item: oneLine(200), reason: oneLine(500) }))
    .catch([])
    .transform((items) => items.slice(0, 20)),
});
type Answer = z.output<typeof Answer>;

/** Pure but for `repeats`, which collects the past items the model proposed again. */
function judgeAnalysis(
  value: unknown,
  { past, repeats, count }: { past: readonly PastItem[]; repeats: PastItem[]; count: number },
): Judged<Answer> {
  const judged = judgeShape(Answer, value);
  if (judged.kind === "bad") return judged;
  const { document } = judged.data;
  if (count > 1 && !(Number.isInteger(document) && document >= 1 && document <= count)) {
    const problem = `document must be the number of the document the item is from, 1 to ${count}`;
    return { kind: "bad", problems: [problem] };
  }
  const { priority_item } = judged.data;
  const repeated = repeatedItem(priority_item, past);
  if (repeated === undefined) return judged;
  if (!repeats.includes(repeated)) repeats.push(repeated);
  const problem = `priority_item "${priority_item}" must be left out: ${repeated.reason}; choose another item`;
  return { kind: "bad", problems: [problem] };
}

import { posix } from "node:path";
import * as z from "zod";
import type { EvidenceRef } from "../../core/state/measurement.ts";
import { analysisPath } from "../../schema/autopilot/analysis.ts";
import { askModel, type ModelContext } from "../llm/ask-model.ts";
import { judgeShape, lines, longText, oneLine } from "../llm/read-answer.ts";
import { branchSlug } from "./branch-for.ts";
import { type PrdDraft, renderPrdDocument } from "./prd-document.ts";
import { type DraftMaterial, PrdShape, prdInstructions, renderPrdPrompt } from "./prd-prompt.ts";
import { newFence } from "./prompt-data.ts";
import type { Requirement, Source } from "./trace.ts";

export interface PrdRequest extends DraftMaterial {
  source: Source;
  mode: "autonomous" | "interactive";
}

export interface DraftedPrd {
  /** The whole document, rendered from the answer. */
  text: string;
  requirements: readonly Requirement[];
  raw: EvidenceRef;
}

/** Asks the model for the requirements document. Without a usable answer, exit 12. */
export async function draftPrd(context: ModelContext, request: PrdRequest): Promise<DraftedPrd> {
  const { system } = context;
  const { data, raw } = await askModel(context, {
    subject: "The requirements document",
    reason: "prd",
    name: "requirements",
    instructions: prdInstructions,
    prompt: renderPrdPrompt(request, newFence(system)),
    shape: PrdShape,
    maxTokens: 16_384,
    judge: (value) => judgeShape(Answer, value),
  });
  const generatedAt = new Date(system.clock.now()).toISOString();
  const text = renderPrdDocument(data, { ...request, generatedAt, analysisPath });
  return { text, requirements: data.requirements, raw };
}

/** `tasks/prd-add-login.md` for `ralph/add-login`. */
export function prdDocumentPath(
  branch: string,
  settings: { output_dir: string; prefix: string },
): string {
  const name = `prd-${branchSlug(branch, settings.prefix)}.md`;
  return posix.join(settings.output_dir, name);
}

const list = lines(20, 1000);

const Answer = z
  .object({
    title: oneLine(100).pipe(z.string().min(1)),
    overview: longText(8000).pipe(z.string().min(1)),
    goals: list.catch([]),
    requirements: lines(30, 1000).pipe(z.array(z.string()).min(1)),
    non_goals: list.catch([]),
    success_metrics: list.catch([]),
  })
  .transform(
    ({ requirements, non_goals, success_metrics, ...rest }): PrdDraft => ({
      ...rest,
      requirements: numbered(requirements),
      nonGoals: non_goals,
      successMetrics: success_metrics,
    }),
  );

/** Numbers the requirements; a number the model wrote is removed. */
export function numbered(texts: readonly string[]): Requirement[] {
  return texts.map((text, at) => ({
    id: `FR-${at + 1}`,
    text: text.replace(/^(?:FR-?\d+|\d+)[.:)]?\s+/i, "") || text,
  }));
}

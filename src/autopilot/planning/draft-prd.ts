import { posix } from "node:path";
import * as z from "zod";
import { type Analysis, analysisPath } from "../../schema/autopilot/analysis.ts";
import { escapeMarkdown } from "../../text/escape-markdown.ts";
import { plainLine } from "../../text/plain-text.ts";
import { askModel, type ModelContext } from "../llm/ask-model.ts";
import { judgeShape, lines, longText, oneLine } from "../llm/read-answer.ts";
import { branchSlug } from "./branch-for.ts";
import { type DraftMaterial, PrdShape, prdInstructions, renderPrdPrompt } from "./prd-prompt.ts";
import { newFence } from "./prompt-data.ts";
import { type Requirement, renderSource, type Source } from "./trace.ts";

export interface PrdRequest extends DraftMaterial {
  source: Source;
  mode: "autonomous" | "interactive";
}

export interface DraftedPrd {
  text: string;
  requirements: readonly Requirement[];
}

/** Asks the model for the requirements document. Without a usable answer, exit 12. */
export async function draftPrd(context: ModelContext, request: PrdRequest): Promise<DraftedPrd> {
  const { system } = context;
  const draft = await askModel(context, {
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
  const text = `${frontMatter(request, generatedAt)}\n${renderDraft(draft, request)}\n`;
  return { text, requirements: draft.requirements };
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

const Answer = z.object({
  title: oneLine(100).pipe(z.string().min(1)),
  overview: longText(8000).pipe(z.string().min(1)),
  goals: list.catch([]),
  requirements: lines(30, 1000).pipe(z.array(z.string()).min(1)).transform(numbered),
  non_goals: list.catch([]),
  success_metrics: list.catch([]),
});

/** Numbers the requirements; a number the model wrote is removed. */
export function numbered(texts: readonly string[]): Requirement[] {
  return texts.map((text, at) => ({
    id: `FR-${at + 1}`,
    text: text.replace(/^(?:FR-?\d+|\d+)[.:)]?\s+/i, "") || text,
  }));
}

const frontMatter = ({ mode }: PrdRequest, generatedAt: string) => `---
generated_by: ralph-autopilot
generated_at: ${generatedAt}
source_analysis: ${JSON.stringify(analysisPath)}
mode: ${mode}
---
`;

/** The document, whose front matter text of a model can neither extend nor escape (specs 004 10.5, T02). */
function renderDraft(
  draft: z.output<typeof Answer>,
  { analysis, source }: { analysis: Analysis; source: Source },
): string {
  const requirements = draft.requirements.map(({ id, text }) => `${id}: ${text}`);
  const origin = [`Item: ${analysis.priority_item}`, `Report: ${renderSource(source)}`];
  const sections = {
    Overview: paragraphs(draft.overview),
    Goals: bullets(draft.goals),
    Requirements: bullets(requirements),
    "Acceptance Criteria": bullets(analysis.acceptance_criteria),
    "Non-Goals": bullets(draft.non_goals),
    "Success Metrics": bullets(draft.success_metrics),
    Source: bullets(origin),
  };
  const filled = Object.entries(sections).filter(([, body]) => body !== "");
  const title = `# PRD: ${escapeMarkdown(plainLine(draft.title))}`;
  return [title, ...filled.map(([name, body]) => `## ${name}\n\n${body}`)].join("\n\n");
}

const bullets = (items: readonly string[]) =>
  items.map((item) => `- ${escapeMarkdown(plainLine(item, 1000))}`).join("\n");

/** One line each, without the characters that would start a heading, a list, a quotation or a rule. */
function paragraphs(text: string): string {
  return text
    .split(/\n+/)
    .map((line) =>
      escapeMarkdown(plainLine(line, 2000)).replace(/^(?:[\s#>+*=|~-]+|\d+[.)]\s)+/, ""),
    )
    .filter(Boolean)
    .join("\n\n");
}

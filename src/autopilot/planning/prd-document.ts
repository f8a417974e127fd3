import type { Analysis } from "../../schema/autopilot/analysis.ts";
import { escapeMarkdown } from "../../text/escape-markdown.ts";
import { plainLine } from "../../text/plain-text.ts";
import { type Requirement, renderSource, type Source } from "./trace.ts";

/** The content of a document beyond the analysis. */
export interface PrdDraft {
  title: string;
  overview: string;
  goals: readonly string[];
  requirements: readonly Requirement[];
  nonGoals: readonly string[];
  successMetrics: readonly string[];
}

export interface PrdFrame {
  analysis: Analysis;
  analysisPath: string;
  source: Source;
  generatedAt: string;
  mode: "autonomous" | "interactive";
}

/** The document with its front matter, which text of a model can neither extend nor escape (specs 004 10.5, T02). */
export function renderPrdDocument(draft: PrdDraft, frame: PrdFrame): string {
  const { analysis, source } = frame;
  const parts = [
    `# PRD: ${escapeMarkdown(plainLine(draft.title))}`,
    section("Overview", paragraphs(draft.overview)),
    section("Goals", bullets(draft.goals)),
    section("Requirements", bullets(draft.requirements.map(({ id, text }) => `${id}: ${text}`))),
    section("Acceptance Criteria", bullets(analysis.acceptance_criteria)),
    section("Non-Goals", bullets(draft.nonGoals)),
    section("Success Metrics", bullets(draft.successMetrics)),
    section(
      "Source",
      bullets([`Item: ${analysis.priority_item}`, `Report: ${renderSource(source)}`]),
    ),
  ];
  return `${frontMatter(frame)}\n${parts.filter(Boolean).join("\n\n")}\n`;
}

function frontMatter({ generatedAt, analysisPath, mode }: PrdFrame): string {
  return [
    "---",
    "generated_by: ralph-autopilot",
    `generated_at: ${generatedAt}`,
    `source_analysis: ${JSON.stringify(analysisPath)}`,
    `mode: ${mode}`,
    "---",
    "",
  ].join("\n");
}

const section = (title: string, body: string) => (body === "" ? "" : `## ${title}\n\n${body}`);

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

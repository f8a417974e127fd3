import { escapeMarkdown } from "../../text/escape-markdown.ts";
import { cut, plainLine } from "../../text/plain-text.ts";
import type { Summary } from "../summary/summary.ts";

/** The requested work, from the analysis or else from the task list. */
export interface RequestedWork {
  priority_item: string;
  description: string;
  rationale?: string | undefined;
  acceptance_criteria?: readonly string[] | undefined;
}

/** Values of the placeholders, as escaped Markdown. */
export type PullValues = Readonly<Record<string, string>>;

const maxItem = 80;
const maxParagraphs = 20;
/** Characters that would make a line a heading, list, quote or table. */
const opening = /^(?:[-*+#>=_|~:\s]+|\d{1,9}[.)](?:\s|$))+/;

/** The value of every placeholder of `pr.title_template` and `pr.body_template`. */
export function pullValues(
  summary: Pick<Summary, "tasks" | "tasks_completed" | "tasks_total">,
  asked: RequestedWork,
): PullValues {
  const { tasks } = summary;
  const criteria =
    asked.acceptance_criteria ?? tasks.flatMap((task) => task.criteria.map(({ text }) => text));
  const lines = tasks.map(
    ({ id, title, state }) => `- [${state === "passed" ? "x" : " "}] ${id}: ${escapeLine(title)}`,
  );
  return {
    priority_item: escapeLine(cut(plainLine(asked.priority_item, 200), maxItem)),
    description: escapeProse(asked.description, 2000),
    rationale: escapeProse(asked.rationale ?? "", 1000),
    acceptance_criteria: criteria.map((text) => `- [ ] ${escapeLine(text)}`).join("\n"),
    task_summary: lines.join("\n"),
    tasks_completed: String(summary.tasks_completed),
    tasks_total: String(summary.tasks_total),
  };
}

/** Replaces placeholders in one pass: unknown names stay, and a value is never read as a template (compatibility 1.21). */
export function fillTemplate(template: string, values: PullValues): string {
  return template.replace(/\{([a-z_]+)\}/g, (found, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? found) : found,
  );
}

/** Untrusted text as one line that is safe at the start of a line and after any text. */
export function escapeLine(text: string, max = 500): string {
  // The text before it could end with a keyword that closes an issue.
  const before = "fixes ";
  return escapeMarkdown(before + plainLine(text, max).replace(opening, "")).slice(before.length);
}

/** Untrusted text of several paragraphs, escaped as `escapeLine` does. */
export function escapeProse(text: string, max: number): string {
  const paragraphs = cut(text, max).split(/\n\s*\n/, maxParagraphs);
  return paragraphs
    .map((paragraph) => escapeLine(paragraph, max))
    .filter((line) => line !== "")
    .join("\n\n");
}

/** The requested work as blocks of Markdown. Without an analysis the item and the description are the same line. */
export function requestedBlocks(requested: RequestedWork): string[] {
  const { priority_item, description, rationale = "", acceptance_criteria = [] } = requested;
  const isSame = description.trim() === priority_item.trim();
  return [
    `**${escapeLine(priority_item, 200)}**`,
    isSame ? "" : escapeProse(description, 2000),
    escapeProse(rationale, 1000),
    acceptance_criteria.map((text) => `- ${escapeLine(text)}`).join("\n"),
  ].filter((block) => block !== "");
}

/** GitHub's limit. */
export const maxTitleLength = 256;

/** The title by `pr.title_template`, escaped as a whole: a squash merge makes it the first line of a commit. */
export function renderPullTitle(template: string, values: PullValues): string {
  const oneLine = Object.entries(values).map(([name, value]) => [name, plainLine(value, 1000)]);
  const filled = fillTemplate(template, Object.fromEntries(oneLine));
  return escapeMarkdown(plainLine(escapeMarkdown(plainLine(filled, 1000)), maxTitleLength));
}

import { outline } from "../../schema/tasks/foreign/outline.ts";
import { onOneLine } from "../../schema/tasks/foreign/words.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import { renderStamp } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { inOrder, listItems, type RequestFormat, renderList } from "./request-list.ts";

export type RequestOptions = {
  format: RequestFormat;
  /** Part of the ids in a change request. */
  name: string;
  /** The source of the tasks, for the last line. */
  source: string;
  now: string;
};

/** A task list as Markdown that an import reads again (compatibility 1.19). */
export function renderRequest(prd: Prd, options: RequestOptions): string {
  const { format } = options;
  const fenced = ["```json", renderList(listItems(prd, options)), "```"].join("\n");
  const parts = [
    renderHeading(1, `${format === "cr" ? "CR" : "PRD"}: ${prd.project}`),
    ...(format === "cr" ? [] : [renderState(prd, options.now)]),
    "## Summary",
    renderParagraph(prd.description),
    "## Task List",
    fenced,
  ];
  const end = [
    "## Progress",
    renderProgress(prd, []),
    "---",
    `*Exported from ${plainLine(options.source)} by ralph*`,
  ];
  return `${[...parts, ...(format === "cr" ? [] : end)].join("\n\n")}\n`;
}

function renderState({ tasks, branchName }: Prd, now: string): string {
  const passed = tasks.filter(({ passes }) => passes).length;
  return [
    `**Generated:** ${renderStamp(now)} UTC\\`,
    ...(branchName === undefined ? [] : [`**Branch:** \`${branchName}\`\\`]),
    `**Status:** ${passed} of ${tasks.length} passed`,
  ].join("\n");
}

/** The checklist of the section "Progress"; `names` are the ids of the tasks in the document, in the order of work. */
export function renderProgress(prd: Prd, names: readonly string[]): string {
  return inOrder(prd)
    .map(({ id, title, passes }, index) => {
      const name = plainLine(names[index] ?? id);
      return `- [${passes ? "x" : " "}] ${name}: ${plainLine(title)}`;
    })
    .join("\n");
}

/** A heading whose text a parser reads back unchanged. */
export function renderHeading(level: number, text: string): string {
  const marks = "#".repeat(level);
  const plain = escapeBackslashes(onOneLine(text));
  const isSafe = reads(`${marks} ${plain}`, "heading", plain);
  return `${marks} ${isSafe ? plain : plain.replace(/(#+)$/, "\\$1")}`;
}

/** A paragraph of one line that a parser reads back unchanged: not as a list, a rule or a heading. */
export function renderParagraph(text: string): string {
  const plain = escapeBackslashes(onOneLine(text));
  if (reads(plain, "paragraph", plain)) return plain;
  const numbered = /^(\d{1,9})([.)])/;
  return numbered.test(plain) ? plain.replace(numbered, "$1\\$2") : `\\${plain}`;
}

/** A backslash before punctuation would escape it. */
const escapeBackslashes = (text: string) => text.replace(/\\(?=[!-/:-@[-`{-~])/g, "\\\\");

function reads(text: string, kind: "heading" | "paragraph", plain: string): boolean {
  const [block, ...rest] = outline(text);
  const meant = plain.replace(/\\([!-/:-@[-`{-~])/g, "$1");
  return rest.length === 0 && block?.kind === kind && block.text === meant;
}

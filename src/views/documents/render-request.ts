import type { Prd } from "../../schema/tasks/prd.ts";
import { renderStamp } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { inOrder, listItems, type RequestFormat, renderList } from "./request-list.ts";
import { renderHeading, renderParagraph } from "./request-text.ts";

export type RequestOptions = {
  format: RequestFormat;
  /** Becomes a part of the ids in a change request. */
  name: string;
  /** Where the tasks come from, for the last line. */
  source: string;
  now: string;
};

/** A task list as Markdown that an import takes back (compatibility 1.19). Pure. */
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

/** The checklist of the section "Progress"; `names` are the ids tasks have in the document, in their order. */
export function renderProgress(prd: Prd, names: readonly string[]): string {
  return inOrder(prd)
    .map(({ id, title, passes }, index) => {
      const name = plainLine(names[index] ?? id);
      return `- [${passes ? "x" : " "}] ${name}: ${plainLine(title)}`;
    })
    .join("\n");
}

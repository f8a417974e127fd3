import { renderSource } from "../../autopilot/planning/trace.ts";
import type { AutopilotRun } from "../../autopilot/run/autopilot-run.ts";
import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { plainLine } from "../../text/plain-text.ts";

/** What was chosen and why, for the job's page. Models wrote it, so nothing of it may act there. Pure. */
export function renderItemPage({ analyzed, branch, document }: AutopilotRun): string {
  if (!analyzed) return "";
  const { analysis, source } = analyzed;
  const { priority_item: item, rationale, excluded_items: left = [] } = analysis;
  const said = (text: string) => escapeMarkdown(plainLine(text, 600));
  const lines = [
    "## Item",
    `**What**: ${said(item)}`,
    `**Why**: ${said(rationale)}`,
    `**From**: ${codeSpan(renderSource(source))}`,
    ...(branch === undefined ? [] : [`**Branch**: ${codeSpan(branch)}`]),
    ...(document === undefined ? [] : [`**Document**: ${codeSpan(document.path)}`]),
    ...left
      .slice(0, 20)
      .map(({ item: other, reason }) => `- Left out: ${said(other)}: ${said(reason)}`),
  ];
  return `${lines.join("\n\n")}\n\n`;
}

import { escapeMarkdown } from "../../text/escape-markdown.ts";
import { plainLine } from "../../text/plain-text.ts";
import { fillTemplate, type PullValues } from "./pull-template.ts";

/** GitHub takes no more. */
export const maxTitleLength = 256;

/**
 * The title by `pr.title_template`. A squash merge makes it the first line of a commit, where a closing word would
 * count as well, so the whole line is inert.
 */
export function renderPullTitle(template: string, values: PullValues): string {
  const oneLine = Object.entries(values).map(([name, value]) => [name, plainLine(value, 1000)]);
  const filled = fillTemplate(template, Object.fromEntries(oneLine));
  return escapeMarkdown(plainLine(escapeMarkdown(plainLine(filled, 1000)), maxTitleLength));
}

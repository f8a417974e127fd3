import type { Detected } from "../detect/detect-project.ts";

/** The AGENTS.md every run writes to, with the sections about the project filled from what is there. Pure. */
export function fillAgentsMd(
  template: string,
  { technologies, layout }: Pick<Detected, "technologies" | "layout">,
): string {
  const tree = layout.length > 0 ? ["```text", ...layout, "```"] : [];
  return fill(fill(template, "Technology Stack", technologies), "File Organization", tree);
}

function fill(text: string, title: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const heading = `## ${title}\n`;
  return text.replace(heading, () => `${heading}\n${lines.join("\n")}\n`);
}

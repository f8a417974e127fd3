import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { fitSections, omittedParts, renderFitted, type Section } from "../summary/fit-sections.ts";
import { costTable, type TableLines, taskTable, unfinishedLines } from "../summary/report-parts.ts";
import type { Summary } from "../summary/summary.ts";
import { renderGantt } from "./gantt.ts";
import { outcomeLines, proofBlocks } from "./job-summary-words.ts";

/** GitHub drops a larger job summary whole. */
export const maxSummaryBytes = 1024 * 1024;
/** Kept free for the note on what was left out. */
const noteBytes = 4096;

export interface JobSummaryInput {
  /** Where logs and timeline are: the session directory, and the artifact it is uploaded as. */
  sessionDir: string;
  artifact?: string | undefined;
  /** What to do next in this job, where that is not what a terminal would do. */
  next?: string | undefined;
}

/**
 * The page of a job, for `$GITHUB_STEP_SUMMARY`: never larger than GitHub takes, and no text of an agent or a
 * user does anything in it. Give `summarize` the events too, or there are no models and no timeline.
 */
export function renderJobSummary(summary: Summary, place: JobSummaryInput): string {
  const fitted = fitSections(sectionsOf(summary, place), maxSummaryBytes - noteBytes);
  const left = omittedParts(fitted);
  const note =
    left.length > 0
      ? `GitHub shows 1 MiB at most, so this is left out: ${left.join(", ")}. \`ralph report\` and \`--json\` tell all of it.`
      : "";
  return `${[...fitted.map(renderFitted), note].join("").trimEnd()}\n`;
}

/** Cut first is what has the highest rank. */
function sectionsOf(summary: Summary, place: JobSummaryInput): Section[] {
  const next = `**Next**: ${place.next ?? summary.next}`;
  const warnings = summary.warnings.map((text) => `- Warning: ${escapeMarkdown(text)}`);
  const sections: Section[] = [
    { ...blocks("Outcome", [...outcomeLines(summary), next, whereToLook(place)]), rank: 0 },
    { ...list("What stopped", unfinishedLines(summary)), rank: 1 },
    { ...table("Tasks", taskTable(summary)), rank: 2 },
    { ...titled(blocks("Proofs", proofBlocks(summary))), rank: 4 },
    { ...table("Cost", costTable(summary)), rank: 3 },
    { ...titled(blocks("Timeline", timeline(summary))), rank: 6 },
    { ...list("Warnings", warnings), rank: 5 },
  ];
  return sections.filter(({ items }) => items.length > 0);
}

function whereToLook({ sessionDir, artifact }: JobSummaryInput): string {
  const files = `Logs, timeline and status files are in ${codeSpan(sessionDir)}`;
  return artifact ? `${files}, uploaded as the artifact ${codeSpan(artifact)}.` : `${files}.`;
}

function timeline(summary: Summary): string[] {
  const gantt = renderGantt(summary);
  return gantt ? [[gantt.chart, gantt.note].filter(Boolean).join("\n\n")] : [];
}

type Part = Omit<Section, "rank">;

const blocks = (name: string, items: readonly string[]): Part => ({
  name,
  head: "",
  items,
  separator: "\n\n",
});

const titled = (part: Part): Part => ({ ...part, head: `### ${part.name}\n\n` });

const list = (name: string, items: readonly string[]): Part =>
  titled({ ...blocks(name, items), separator: "\n" });

function table(name: string, lines: TableLines = []): Part {
  const part = list(name, lines.slice(2));
  return { ...part, head: `${part.head}${lines.slice(0, 2).join("\n")}\n` };
}

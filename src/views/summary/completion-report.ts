import type { SessionState } from "../../core/state/session-state.ts";
import { escapeMarkdown } from "../../text/escape-markdown.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";
import { type PassedTask, passedTasks } from "./totals.ts";

/** An agent's account of its work, from its done signal (design 4.1): bounded lines, escaped for Markdown. */
export type CompletionReport = Readonly<Record<ReportSection, readonly string[]>>;

const sections = ["changes", "verification", "learnings", "patterns"] as const;
type ReportSection = (typeof sections)[number];

const maxBodyLength = 64 * 1024;
const maxItems = 30;
const maxItemLength = 400;

const heading = /^#{1,6}\s+(.*)$/;
const bullet = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)$/;
const fence = /^\s*(?:```|~~~)/;
const markers = /^(?:[-*+#>=_|\s]+|\d{1,3}[.)]\s)+/;

/** Reads a signal's body. Text before the first heading counts as changes; fenced blocks are left out. */
export function parseCompletionReport(body: string): CompletionReport {
  const found = { changes: [], verification: [], learnings: [], patterns: [] } as Record<
    ReportSection,
    string[]
  >;
  for (const { section, text } of rawItems(body)) {
    const item = escapeMarkdown(plainLine(text.replace(markers, ""), maxItemLength));
    if (item !== "" && found[section].length < maxItems) found[section].push(item);
  }
  return found;
}

type RawItem = { section: ReportSection; text: string };

/** A bullet with the lines that continue it, or a paragraph, is one item. */
function rawItems(body: string): RawItem[] {
  const items: RawItem[] = [];
  let section: ReportSection | undefined = "changes";
  let open: RawItem | undefined;
  const begin = (text: string) => {
    open = section && { section, text };
    if (open) items.push(open);
  };
  for (const line of linesOutsideFences(body).map(readLine)) {
    if (line.kind === "heading") section = sectionNamed(line.text);
    if (line.kind === "bullet") begin(line.text);
    else if (line.kind !== "text") open = undefined;
    else if (open) open.text += ` ${line.text}`;
    else begin(line.text);
  }
  return items;
}

function readLine(line: string): { kind: "heading" | "bullet" | "blank" | "text"; text: string } {
  const title = heading.exec(line)?.[1];
  if (title !== undefined) return { kind: "heading", text: title };
  const item = bullet.exec(line)?.[1];
  if (item !== undefined) return { kind: "bullet", text: item };
  return { kind: line.trim() === "" ? "blank" : "text", text: line };
}

function linesOutsideFences(body: string): string[] {
  let isFenced = false;
  return plainText(body.slice(0, maxBodyLength))
    .split("\n")
    .filter((line) => {
      const isFence = fence.test(line);
      if (isFence) isFenced = !isFenced;
      return !isFence && !isFenced;
    });
}

function sectionNamed(title: string): ReportSection | undefined {
  const name = title.trim().replace(/:$/, "").toLowerCase();
  return sections.find((section) => section === name);
}

/** `memory.learnings` of the configuration. */
export type LearningsMode = "propose" | "write" | "off";

export type TaskLearnings = { task: PassedTask; learnings: readonly string[] };

/** The "Learnings" that the agents of passed tasks report, oldest first; escaped and bounded. */
export function readLearnings(state: SessionState): TaskLearnings[] {
  return passedTasks(state)
    .map((task) => ({ task, learnings: parseCompletionReport(task.claim ?? "").learnings }))
    .filter(({ learnings }) => learnings.length > 0);
}

/** Agents obey AGENTS.md, so only a person's own task list may write there (T07, decision 0014). */
export const writesLearnings = (mode: LearningsMode, { session }: SessionState): boolean =>
  mode === "write" && session.list_author !== "model";

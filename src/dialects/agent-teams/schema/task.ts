import { errorAt, type Finding, warningAt } from "../../../schema/base/finding.ts";

/** The statuses of a task's file (specs 003); IN_REVIEW came later (compatibility 5). */
export const teamTaskStatuses = [
  "PENDING",
  "IN_PROGRESS",
  "IN_REVIEW",
  "COMPLETED",
  "BLOCKED",
] as const;
export type TeamTaskStatus = (typeof teamTaskStatuses)[number];

/** A line of a task's header: `Status: COMPLETED` between rules, or `## Status: COMPLETED`. */
export type HeaderLine = { key: string; value: string; line: number };

/**
 * The header of a `*.code-task.md`: front matter (specs 003), lines marked as headings as in most files, or none yet.
 * `lines` holds the known keys.
 */
export interface TaskHeader {
  form: "front-matter" | "lines" | "none";
  lines: readonly HeaderLine[];
  /** Front matter that never ends. */
  isOpen: boolean;
}

const keys = ["Status", "Blocked-By", "Completed", "Completed-By", "Completed-At"];
const frontLine = /^([A-Za-z][\w-]*):[ \t]*(.*)$/;
const markedLine = /^##[ \t]+([A-Za-z][\w-]*):[ \t]*(.*)$/;

/** Finds the header of a task's file, in either form (compatibility 5). */
export function readHeader(text: string): TaskHeader {
  const lines = text.split(/\r?\n/);
  if (lines[0]?.trim() === "---") {
    const end = lines.indexOf("---", 1);
    const found = linesOf(lines.slice(0, end < 0 ? lines.length : end), frontLine);
    if (end < 0 || found.length > 0) return { form: "front-matter", lines: found, isOpen: end < 0 };
  }
  const marked = linesOf(lines.slice(0, headLength(lines)), markedLine);
  return { form: marked.length > 0 ? "lines" : "none", lines: marked, isOpen: false };
}

function linesOf(lines: readonly string[], pattern: RegExp): HeaderLine[] {
  return lines.flatMap((text, index) => {
    const [, name = "", value = ""] = pattern.exec(text) ?? [];
    const key = keys.find((each) => each.toLowerCase() === name.toLowerCase());
    return key === undefined ? [] : [{ key, value: value.trim(), line: index + 1 }];
  });
}

/** The number of lines before the first section of the text. */
function headLength(lines: readonly string[]): number {
  const at = lines.findIndex(
    (line) => /^##[ \t]/.test(line) && linesOf([line], markedLine).length === 0,
  );
  return at < 0 ? lines.length : at;
}

const headerValue = ({ lines }: TaskHeader, key: string): string | undefined =>
  lines.find((line) => line.key === key)?.value;

/** Words of real files for the same statuses. */
const otherWords: Readonly<Record<string, TeamTaskStatus>> = {
  TODO: "PENDING",
  OPEN: "PENDING",
  NOT_STARTED: "PENDING",
  DOING: "IN_PROGRESS",
  STARTED: "IN_PROGRESS",
  DONE: "COMPLETED",
  COMPLETE: "COMPLETED",
  FINISHED: "COMPLETED",
};

/** The status of a task; without one it is pending. Undefined for an unknown status. */
export function taskStatusOf(header: TaskHeader): TeamTaskStatus | undefined {
  const value = (headerValue(header, "Status") ?? "PENDING").replace(/^(["'])(.*)\1$/, "$2");
  const word = value.toUpperCase().replace(/[\s-]+/g, "_");
  return teamTaskStatuses.find((each) => each === word) ?? otherWords[word];
}

/** The files of the tasks that block this one, relative to the folder of the plan. */
export function blockersOf(header: TaskHeader): string[] {
  const value = headerValue(header, "Blocked-By") ?? "";
  if (/^(?:none|n\/a|-|\[\]|\{.*\})?$/i.test(value)) return [];
  return value
    .replace(/^\[|\]$/g, "")
    .split(",")
    .map((each) =>
      each
        .trim()
        .replace(/^["'`]|["'`]$/g, "")
        .replace(/^\.\//, ""),
    )
    .filter((each) => each !== "");
}

/** All findings in a task's file; one with an error is neither read nor written. Paths are lines. */
export function checkTask(text: string): Finding[] {
  const header = readHeader(text);
  const [status, second] = header.lines.filter(({ key }) => key === "Status");
  const unknown = `the status is "${status?.value.slice(0, 40)}"; it must be one of ${teamTaskStatuses.join(", ")}`;
  const blockers = header.lines.find(({ key }) => key === "Blocked-By");
  return [
    header.isOpen ? errorAt([1], "the header begins with --- and never ends") : [],
    status && taskStatusOf(header) === undefined ? errorAt([status.line], unknown) : [],
    status ? [] : unreadStatus(text),
    second ? errorAt([second.line], "there is a second status") : [],
    blockersOf(header).some(leadsOut)
      ? errorAt([blockers?.line ?? 1], "leads out of the folder of the plan")
      : [],
  ].flat();
}

/** A line above the first section that means a status in neither form of a header. */
function unreadStatus(text: string): Finding[] {
  const lines = text.split(/\r?\n/);
  const at = lines
    .slice(0, headLength(lines))
    .findIndex((line) => /^[>*#\s-]*status\**\s*:\**\s*\S/i.test(line));
  if (at < 0) return [];
  return [warningAt([at + 1], "is not read as the status; write it as `## Status: …`")];
}

const leadsOut = (path: string) => /^\/|(?:^|\/)\.\.(?:\/|$)/.test(path);

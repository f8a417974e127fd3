import { plainText } from "../../text/plain-text.ts";

/** A place in a file that a gate's output names, as printed. */
export interface GateMessage {
  file: string;
  /** 1 if the output names only the file. */
  line: number;
  column?: number;
  level: "error" | "warning";
  message: string;
}

/** A longer line is data, not a message; it also bounds every pattern. */
const maxLine = 1000;

type Groups = Readonly<Partial<Record<string, string>>>;

/** Data of the previous lines: some tools print the file, or the message, on a line of its own. */
interface Before {
  file?: string;
  /** A message whose place follows. */
  headline?: { level: string; message: string } | undefined;
}

/** How tools name a place. To add a tool, add a line here and a row in the test. */
const forms: readonly { tool: string; pattern: RegExp }[] = [
  {
    tool: "tsc",
    pattern:
      /^(?<file>\S.*)\((?<line>\d+),(?<column>\d+)\): (?<level>error|warning) (?<message>\S.*)$/,
  },
  {
    tool: "tsc",
    pattern:
      /^(?<file>\S+?):(?<line>\d+):(?<column>\d+) - (?<level>error|warning) (?<message>\S.*)$/,
  },
  {
    tool: "eslint",
    pattern: /^\s+(?<line>\d+):(?<column>\d+)\s+(?<level>error|warning)\s+(?<message>\S.*)$/,
  },
  // rustc and ruff print `-->`, vitest a heavy angle; the message comes before.
  {
    tool: "arrow",
    pattern: /^\s*(?:-->|\u276f) (?:\S+ )?(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+)$/,
  },
  {
    tool: "cargo",
    pattern:
      /^thread '.*' (?:\(\d+\) )?(?<message>panicked) at (?:'.*', )?(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+):?$/,
  },
  {
    tool: "biome",
    pattern:
      /^(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+) (?<message>(?:lint|assist|suppressions)\/\S+|parse)\b/,
  },
  { tool: "go", pattern: /^\s+(?<file>[\w.-]+_test\.go):(?<line>\d+): (?<message>\S.*)$/ },
  {
    tool: "pytest",
    pattern: /^(?:FAILED|ERROR) (?<file>[^\s:]+\.py)(?<message>(?:::.*)?(?: - .*)?)$/,
  },
  {
    tool: "line",
    pattern:
      /^(?:vet: )?(?<file>[^\s:()]*(?:\.[a-z]\w*|\/[^\s:()]+)):(?<line>\d+)(?::(?<column>\d+))?:\s+(?<message>\S.*)$/i,
  },
];

/** Lines with a message and no place: rustc and compilers; Python, JavaScript; ruff. */
const headlines: readonly RegExp[] = [
  /^(?<level>error|warning|note|help)(?:\[\w+\])?: (?<message>\S.*)$/,
  /^(?:E\s+)?(?<message>(?:\w+\.)*\w*(?:Error|Exception)\b.*)$/,
  /^E {3,}(?<message>\S.*)$/,
  /^(?<message>[A-Z]{1,5}\d{2,5} .*)$/,
];

/** Every place that the output names, in its order. A test that only a summary names is on line 1. */
export function gateMessages(output: string): GateMessage[] {
  const found: (GateMessage & { tool: string })[] = [];
  let before: Before = {};
  for (const line of plainText(output).split("\n")) {
    if (line.length > maxLine) continue;
    const message = messageIn(line.trimEnd(), before);
    if (message) found.push(message);
    before = message ? { ...before, headline: undefined } : after(line.trimEnd(), before);
  }
  return found.filter(isFirstMention(found)).map(({ tool: _, ...message }) => message);
}

/** pytest's summary repeats its tracebacks without the line. */
function isFirstMention(found: readonly (GateMessage & { tool: string })[]) {
  const placed = new Set(found.filter(({ tool }) => tool !== "pytest").map(({ file }) => file));
  return ({ tool, file }: { tool: string; file: string }) => tool !== "pytest" || !placed.has(file);
}

function messageIn(line: string, before: Before) {
  for (const { tool, pattern } of forms) {
    const groups = pattern.exec(line)?.groups;
    if (groups) return toMessage(tool, groups, before);
  }
  return undefined;
}

function toMessage(tool: string, groups: Groups, before: Before) {
  const { line, column } = groups;
  const file = groups.file ?? before.file;
  const text = textOf(tool, groups, before);
  if (file === undefined || text === undefined) return undefined;
  const position = { file, line: Number(line ?? 1), ...(column && { column: Number(column) }) };
  return position.line > 0 ? { tool, ...position, ...text } : undefined;
}

function textOf(tool: string, { level, message = "" }: Groups, { headline }: Before) {
  if (tool === "arrow") return headline && levelled(headline.level, headline.message);
  if (tool === "pytest") return levelled("error", message.replace(/^[: -]*/, "") || "failed");
  const isBareError = /^[\w.]*(?:Error|Exception|Failed)$/.test(message);
  return levelled(level, isBareError && headline ? `${message}: ${headline.message}` : message);
}

const prefix =
  /^(?:(?:fatal )?(?<error>error)|(?<warning>warning)|(?<remark>note|help|hint|info|remark))(?:\[\w+\])?:\s*/i;

/** A message with the level it states, or error; undefined for a note or help. */
function levelled(stated: string | undefined, text: string) {
  const groups = prefix.exec(text)?.groups;
  if (groups?.remark || stated === "note" || stated === "help") return undefined;
  const isWarning = stated === "warning" || groups?.warning || remarkable.test(text);
  const message = text.replace(prefix, "");
  return { level: isWarning ? ("warning" as const) : ("error" as const), message };
}

const remarkable = /^\w+Warning:|\[warning\/[^\]]*\]$/i;

function after(line: string, before: Before): Before {
  if (/^[^\s:]+\.\w+$/.test(line)) return { file: line };
  for (const pattern of headlines) {
    const groups = pattern.exec(line)?.groups;
    if (groups?.message === undefined) continue;
    // The first line of a failure has its message.
    if (before.headline && line.startsWith("E")) return before;
    return { ...before, headline: { level: groups.level ?? "error", message: groups.message } };
  }
  return before;
}

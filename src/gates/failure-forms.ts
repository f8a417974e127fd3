import { stableMessage, stableName } from "./stable-text.ts";

/** One failure that a line names. `at` (a position) distinguishes equal failures and is not compared itself. */
export interface ParsedFailure {
  text: string;
  at: string;
}

/** The context of earlier lines: some tools print the file, or the message, on a separate line. */
export interface LinesBefore {
  /** The last line that was only a file name. */
  file: string;
  line: string;
}

/** How tools print a failure: `name` is a test, `message` a diagnostic, with `file` and position `at`. A new tool is a line here. */
const forms: readonly { tool: string; pattern: RegExp }[] = [
  // Symbols as escapes: one character beyond Latin-1 doubles the memory of the whole bundle.
  { tool: "tsc", pattern: /^(?<file>\S.*)\((?<at>\d+,\d+)\): error (?<message>TS\d+: .*)$/ },
  { tool: "tsc", pattern: /^(?<file>\S+):(?<at>\d+:\d+) - error (?<message>TS\d+: .*)$/ },
  { tool: "tsc", pattern: /^error (?<message>TS\d+: .*)$/ },
  { tool: "eslint", pattern: /^\s+(?<at>\d+:\d+)\s+error\s+(?<message>\S.*)$/ },
  { tool: "arrow", pattern: /^\s*--> (?<file>\S.*?):(?<at>\d+:\d+)$/ },
  {
    tool: "biome",
    pattern:
      /^(?<file>[^\s:]+):(?<at>\d+:\d+) (?<message>(?:lint|assist|suppressions)\/\S+|parse)\b/,
  },
  { tool: "format", pattern: /^(?<name>[^\s:]+) format \u2501/ },
  { tool: "format", pattern: /^(?:\[(?:warn|error)\]|[Ww]ould reformat:?) (?<name>\S+\.\w+)$/ },
  {
    tool: "pytest",
    pattern: /^(?:FAILED|ERROR) (?<name>\S+\.py(?:::[^[\s]*(?:\[.*?\](?= - |$))?)?)/,
  },
  { tool: "unittest", pattern: /^(?:FAIL|ERROR): (?<name>\w+ \(.+\))$/ },
  { tool: "go", pattern: /^\s*--- FAIL: (?<name>\S+)/ },
  { tool: "cargo", pattern: /^test (?<name>\S.*) \.\.\. FAILED$/ },
  { tool: "tap", pattern: /^\s*not ok \d+(?: -)? (?!.*# (?:TODO|SKIP))(?<name>[^#]*[^#\s])/i },
  { tool: "node", pattern: /^\s*\u2716 (?<name>\S.*) \(\d[\d.]*ms\)/ },
  { tool: "suite", pattern: /^\s*FAIL\s+(?<name>\S.*?)(?: \(\d[\d.]* m?s\)|\t\d[\d.]*s)?$/ },
  { tool: "vitest", pattern: /^\u23af+ (?<name>Unhandled (?:Error|Rejection))/ },
  { tool: "coverage", pattern: /^(?:ERROR|Jest): (?<message>.*coverage.* threshold.*)$/i },
  { tool: "jest", pattern: /^\s*\u25cf (?!Console\b)(?<name>\S.*)$/ },
  { tool: "mark", pattern: /^\s*[×\u2717\u2715] (?<name>\S.*?)(?: [([]?\d[\d.]*\s?m?s[)\]]?)?$/ },
  {
    tool: "line",
    pattern: /^(?=[^\s:()]*[./])(?<file>[^\s:()]+):(?<at>\d+(?::\d+)?):\s+(?<message>\S.*)$/,
  },
];

/** The failure a line names, or undefined. */
export function failureIn(line: string, before: LinesBefore): ParsedFailure | undefined {
  for (const { tool, pattern } of forms) {
    const groups = pattern.exec(line)?.groups;
    if (groups) return groups.name ? test(tool, groups.name) : diagnostic(tool, groups, before);
  }
  return undefined;
}

const test = (tool: string, name: string): ParsedFailure => ({
  text: `${tool}: ${stableName(name)}`,
  at: "",
});

type Groups = Readonly<Partial<Record<string, string>>>;

function diagnostic(tool: string, groups: Groups, before: LinesBefore): ParsedFailure | undefined {
  const file = groups.file ?? (tool === "eslint" ? before.file : "");
  const message = groups.message ?? before.line.trim();
  if (isRemark(message)) return undefined;
  const what = stableMessage(message.replace(/^(?:fatal )?error: /i, ""));
  const where = stableName(file.replace(/^\.\//, "")) || tool;
  return { text: `${where}: ${what}`, at: groups.at ?? "" };
}

/** Warnings and explanations do not fail a gate; `=` and `|` begin the margin of a code frame. */
const isRemark = (message: string) =>
  /^(?:$|[=|]|(?:warning|note|help|hint|info|remark)\b|\w+Warning:)/i.test(message) ||
  (message.endsWith("]") && /\[warning\/[^\]]*\]$/i.test(message.slice(-100)));

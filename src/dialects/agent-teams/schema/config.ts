import { type Finding, warningAt } from "../../../schema/base/finding.ts";
import { nearest } from "../../../schema/base/nearest.ts";

/** The numbers of `.ralph/config.sh`, with their defaults (compatibility 5). */
export const numberDefaults = {
  MAX_CONSECUTIVE_FAILURES: 3,
  MAX_TASK_ATTEMPTS: 3,
  MAX_TASKS_PER_TEAMMATE: 20,
  MAX_TEAMMATES: 2,
  MAX_RUNTIME: 0,
  MIN_TEST_COVERAGE: 0,
  MEMORIES_BUDGET: 2000,
  CONFESSION_MIN_CONFIDENCE: 80,
  CHECKPOINT_INTERVAL: 0,
} as const;

/** In the order they run. */
const gates = [
  "GATE_TEST",
  "GATE_TYPECHECK",
  "GATE_LINT",
  "GATE_BUILD",
  "GATE_INTEGRATION",
  "GATE_E2E",
  "GATE_COVERAGE",
] as const;

const texts = [
  ...gates,
  "MODEL",
  "QUALITY_LEVEL",
  "CHECKPOINT_MODE",
  "MEMORIES_ENABLED",
  "COCKPIT_DEV_SERVER",
  "COCKPIT_TEST_WATCHER",
  "COCKPIT_LOGS",
  "COCKPIT_DB",
] as const;

/** The settings of a team, as far as they can be read without running the file. */
export interface TeamConfig {
  numbers: Readonly<Record<keyof typeof numberDefaults, number>>;
  /** The names that the file assigns. */
  named: readonly string[];
  /** The commands that must succeed before a task is completed, without empty ones. */
  gates: readonly { name: string; cmd: string }[];
  qualityLevel: string | undefined;
}

/** Reads the assignments of a shell file without running it, with a finding for each line that it ignores. */
export function readTeamConfig(text: string): { config: TeamConfig; findings: Finding[] } {
  const values = new Map<string, string>();
  const findings: Finding[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const parsed = parseLine(line);
    if (typeof parsed === "string") findings.push(warningAt([index + 1], parsed));
    else if (parsed) values.set(...parsed);
  }
  const count = (name: keyof typeof numberDefaults) => {
    const value = values.get(name);
    return value === undefined || value === "" ? numberDefaults[name] : Number(value);
  };
  const names = Object.keys(numberDefaults) as (keyof typeof numberDefaults)[];
  const config = {
    numbers: Object.fromEntries(names.map((name) => [name, count(name)])) as TeamConfig["numbers"],
    gates: gates.flatMap((name) => {
      const cmd = values.get(name)?.trim() ?? "";
      return cmd === "" ? [] : [{ name: name.slice("GATE_".length).toLowerCase(), cmd }];
    }),
    qualityLevel: values.get("QUALITY_LEVEL"),
    named: [...values.keys()],
  };
  return { config, findings };
}

const assignment = /^\s*(?:export\s+|readonly\s+)?([A-Za-z_]\w*)=(.*)$/;

/** An assignment, or why the line is ignored; undefined for a blank line or a comment. */
function parseLine(line: string): [name: string, value: string] | string | undefined {
  if (/^\s*(?:#.*)?$/.test(line)) return undefined;
  const [, name = "", rest = ""] = assignment.exec(line) ?? [];
  if (name === "") return "is not an assignment such as NAME=value; it is not run";
  const value = literal(rest);
  if (value === undefined) {
    return `gives ${name} a value that only a shell can compute; write the value itself`;
  }
  if (Object.hasOwn(numberDefaults, name)) {
    if (/^\d{0,9}$/.test(value)) return [name, value];
    return `gives ${name} the value "${value.slice(0, 40)}", which is not a number`;
  }
  if (texts.some((each) => each === name)) return [name, value];
  const meant = nearest(name, [...Object.keys(numberDefaults), ...texts]);
  const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
  return `sets ${name.slice(0, 60)}, which is not a setting of a team; it is not used${hint}`;
}

/** The value as a shell reads it, if it is literal: one word, followed at most by a comment. */
function literal(text: string): string | undefined {
  const single = /^'([^']*)'\s*(?:\s#.*)?$/.exec(text)?.[1];
  if (single !== undefined) return single;
  const double = /^"((?:[^"\\$`]|\\[\\"$`])*)"\s*(?:\s#.*)?$/.exec(text)?.[1];
  if (double !== undefined) return double.replace(/\\([\\"$`])/g, "$1");
  return /^([\w@%+=:,./-]*)\s*(?:\s#.*)?$/.exec(text)?.[1];
}

import { createHash } from "node:crypto";
import { pathMatcher } from "../core/checks/path-pattern.ts";
import type { Census, gateStatuses, MutationScore } from "../core/state/measurement.ts";
import type { SupervisedEnd } from "../platform/system.ts";
import { hasLoadError, readCensus } from "./census.ts";
import { fingerprints } from "./fingerprint.ts";
import { readableLines, withoutPlaces } from "./readable-lines.ts";
import { describeEnd, runShell, type ShellDeps, type ShellResult } from "./run-shell.ts";

export interface GateDeps extends ShellDeps {
  /** All tracked and untracked files, relative to the project root. Called only when a gate has a condition. */
  paths: () => Promise<readonly string[]>;
}

export interface GateResult {
  status: (typeof gateStatuses)[number];
  /** For people and the next prompt: the exit status and a preview of the output. Empty when it passed. */
  detail: string;
  /** One per failure the output names; empty when it names none. */
  fingerprints: string[];
  /** How many tests it says it ran, where its output tells. */
  tests?: Census;
  /** For a gate with `kind: mutation`. */
  mutation?: MutationScore;
  /** Files of installed packages that changed while it ran. */
  planted?: string[];
  /** The output says that files could not be loaded or compiled. */
  isLoadError: boolean;
  ms: number;
  /** For evidence: redacted, only head and tail of a long output; `outputBytes` is the full size. */
  output: string;
  outputBytes: number;
}

/** Runs one gate or setup step in the tree as it is. The caller cleans up afterwards. */
export async function runGate(deps: GateDeps, gate: GateCommand): Promise<GateResult> {
  if (gate.when !== undefined && !isMet(gate.when, await deps.paths())) return skipped(gate.when);
  const timeoutMs = gate.timeout_seconds * 1000;
  const result = await runShell(deps, { cmd: gate.cmd, timeoutMs });
  const { output, outputBytes, ms } = result;
  const status = statusOf(result.end);
  const tests = readCensus(output);
  const lines = readableLines(withoutPlaces(output, deps));
  const measured = { ...(tests && { tests }), isLoadError: false, ms, output, outputBytes };
  if (status === "passed") return { ...measured, status, detail: "", fingerprints: [] };
  return {
    ...measured,
    status,
    isLoadError: hasLoadError(output),
    detail: `${describeEnd(result.end, timeoutMs)}\n${preview(lines)}`.trim(),
    fingerprints: status === "failed" ? failuresIn(result, deps.root) : [],
  };
}

/** A path matches that file or folder, anything else is a glob. Ignored files do not count: only the tree decides results. */
export function isMet(when: string, paths: readonly string[]): boolean {
  const path = when.replace(/^(?:\.\/)+|\/+$/gu, "");
  const isMatch = pathMatcher([when]);
  return paths.some((each) => each === path || each.startsWith(`${path}/`) || isMatch(each));
}

function skipped(when: string): GateResult {
  const detail = `skipped: nothing matches ${when}`;
  const nothing = { fingerprints: [], isLoadError: false, ms: 0, output: "", outputBytes: 0 };
  return { ...nothing, status: "skipped", detail };
}

/** 126 and 127 mean that the shell cannot run the command: a missing tool is not a failing test. */
function statusOf(end: SupervisedEnd): GateResult["status"] {
  switch (end.kind) {
    case "exited":
      if (end.code === 0) return "passed";
      return end.code === 126 || end.code === 127 ? "not_started" : "failed";
    case "killed":
    case "over-limit":
      return "failed";
    case "timed-out":
    case "idle":
      return "timed_out";
    case "cancelled":
    case "not-started":
      return "not_started";
  }
}

/** A cut output cannot be compared: a new failure could be in the missing part. */
function failuresIn({ output, isCut }: ShellResult, root: string): string[] {
  return isCut ? [] : fingerprints(output.replaceAll(`${root}/`, ""));
}

/** Most lines of the beginning and of the end each (compatibility 1.11). */
const lineLimit = 50;
/** Most bytes of each end; with the notice between them a preview stays below 8 KiB. */
const byteLimit = 4000;

/** The beginning and the end of a program's output, short enough for a prompt; counts the omitted lines. */
export function preview(lines: readonly string[]): string {
  const head = fitting(lines.slice(0, lineLimit));
  const rest = lines.slice(head.length);
  const tail = fitting(rest.slice(-lineLimit).reverse()).reverse();
  const left = rest.length - tail.length;
  const notice = left > 0 ? [`[... ${left} lines left out ...]`] : [];
  return [...head, ...notice, ...tail].join("\n").trim();
}

/** The first lines that fit; a first line that is too long is cut. */
function fitting(lines: readonly string[]): string[] {
  const taken: string[] = [];
  let room = byteLimit;
  for (const line of lines) {
    const size = Buffer.byteLength(line) + 1;
    if (size > room && taken.length > 0) break;
    taken.push(size > room ? cut(line) : line);
    room -= size;
  }
  return taken;
}

/** A UTF-16 unit takes at most three bytes. */
function cut(line: string): string {
  return `${line.slice(0, byteLimit / 3 - 10).toWellFormed()} [...]`;
}

/** The parts of a gate or setup step that decide its result. */
export interface GateCommand {
  cmd: string;
  when?: string | undefined;
  timeout_seconds: number;
}

/** A digest of everything that decides a gate's result except the tree: together with the tree it identifies the result. */
export function gateKeyOf({ cmd, when, timeout_seconds }: GateCommand): string {
  const deciding = JSON.stringify([cmd, when ?? null, timeout_seconds]);
  return createHash("sha256").update(deciding).digest("hex");
}

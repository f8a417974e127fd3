import type { CriterionResult } from "../core/state/event.ts";
import type { EvidenceRef } from "../core/state/measurement.ts";
import { type Criterion, parseCriterion } from "../schema/tasks/criterion.ts";
import { readableLines, withoutRoot } from "./readable-lines.ts";
import { describeEnd, runShell, type ShellDeps, type ShellResult } from "./run-shell.ts";

export interface CriteriaDeps extends ShellDeps {
  /** Content of a regular file in a tree; undefined for links, folders and nested repositories. */
  readBlob: (tree: string, path: string) => Promise<Buffer | undefined>;
  /** Stores redacted text as evidence; `bytes` is the full size. */
  keepEvidence: (text: string, bytes: number) => Promise<EvidenceRef>;
  /** `leave`: a model wrote the criteria, and there is no sandbox. */
  commands: "run" | "leave";
}

export interface CriteriaCheck {
  criteria: readonly string[];
  /** The tree that is to be committed; the work tree holds it. */
  tree: string;
  /** The tree the task started from: a criterion that held there proves nothing about the work. */
  base: string;
}

type Verdict = Pick<CriterionResult, "verdict" | "detail" | "not_started" | "evidence">;
type FileCriterion = Extract<Criterion, { path: string }>;

const timeoutMs = 300_000;

/** Checks the checkable criteria, in order, and leaves the others to the reviewer (design 4.4). */
export async function checkCriteria(
  deps: CriteriaDeps,
  check: CriteriaCheck,
): Promise<CriterionResult[]> {
  const results: CriterionResult[] = [];
  for (const [index, text] of check.criteria.entries()) {
    const criterion = parseCriterion(text);
    const verdict = await judge(deps, criterion, check);
    results.push({ number: index + 1, text, kind: criterion.kind, ...verdict });
  }
  return results;
}

async function judge(
  deps: CriteriaDeps,
  criterion: Criterion,
  check: CriteriaCheck,
): Promise<Verdict> {
  switch (criterion.kind) {
    case "command":
      if (deps.commands === "run") return runCommand(deps, criterion.command);
      return {
        verdict: "to_judge",
        detail: "not run: a model wrote the command, there is no sandbox",
      };
    case "file-exists":
    case "file-contains":
      return inspectFile(deps, criterion, check);
    case "api":
    case "browser":
      return { verdict: "to_judge", detail: "needs a running service" };
    case "judged":
      return { verdict: "to_judge", detail: "for the reviewer" };
  }
}

/** Same shell, environment and sandbox as gates. */
async function runCommand(deps: CriteriaDeps, command: string): Promise<Verdict> {
  const result = await runShell(deps, { cmd: command, timeoutMs });
  const ending = describeEnd(result.end, timeoutMs);
  const text = `$ ${deps.redact(command)}\n${result.output}\n[${ending}]\n`;
  const evidence = await deps.keepEvidence(text, result.outputBytes);
  const isProved = result.end.kind === "exited" && result.end.code === 0;
  if (isProved) return { verdict: "proved", detail: ending, evidence };
  const detail = `${ending}${lastLines(withoutRoot(result.output, deps.root))}`;
  return {
    verdict: "failed",
    detail,
    ...(isNotStarted(result, command) && { not_started: true }),
    evidence,
  };
}

/** A program of the project, named by its path, may still be written or made executable by the next iteration. */
function isNotStarted({ end }: ShellResult, command: string): boolean {
  if (end.kind === "not-started") return true;
  const [program = ""] = command.trim().split(/\s/);
  return end.kind === "exited" && [126, 127].includes(end.code) && !program.includes("/");
}

/** The last lines with text, as one line. */
function lastLines(output: string): string {
  const lines = readableLines(output.slice(-4000)).map((line) => line.trim());
  const said = lines.filter((line) => line !== "").slice(-3);
  return said.length === 0 ? "" : `: ${said.join(" | ").slice(-300)}`.toWellFormed();
}

async function inspectFile(
  deps: CriteriaDeps,
  criterion: FileCriterion,
  { tree, base }: CriteriaCheck,
): Promise<Verdict> {
  const now = await findingIn(deps, criterion, tree);
  if (!now.holds) return { verdict: "failed", detail: now.detail };
  const before = await findingIn(deps, criterion, base);
  return before.holds
    ? { verdict: "held", detail: `${now.detail}, and did so before` }
    : { verdict: "proved", detail: now.detail };
}

/** Files that say something by being there. */
const usuallyEmpty = /(?:^|\/)(?:__init__\.py|py\.typed|\.(?:git)?keep|\.nojekyll|\.placeholder)$/;

async function findingIn(
  { readBlob }: CriteriaDeps,
  criterion: FileCriterion,
  tree: string,
): Promise<{ holds: boolean; detail: string }> {
  const content = await readBlob(tree, criterion.path);
  if (!content) return { holds: false, detail: `${criterion.path} is not a file of the tree` };
  if (criterion.kind === "file-exists") {
    const isEmpty = content.toString().trim() === "" && !usuallyEmpty.test(criterion.path);
    return isEmpty
      ? { holds: false, detail: `${criterion.path} is empty` }
      : { holds: true, detail: `${criterion.path} exists` };
  }
  const holds = content.includes(criterion.text);
  const detail = `${criterion.path} ${holds ? "contains" : "does not contain"} the text`;
  return { holds, detail };
}

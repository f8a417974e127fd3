import type { CriterionResult } from "../core/state/event.ts";
import type { EvidenceRef, PictureRef } from "../core/state/measurement.ts";
import { type Criterion, parseCriterion } from "../schema/tasks/criterion.ts";
import { readableLines, withoutPlaces } from "./readable-lines.ts";
import { describeEnd, runShell, type ShellDeps, type ShellResult } from "./run-shell.ts";

export interface CriteriaDeps extends ShellDeps {
  /** Content of a regular file in a tree; undefined for links, folders and nested repositories. */
  readBlob: (tree: string, path: string) => Promise<Buffer | undefined>;
  /** Stores redacted text as evidence; `bytes` is the full size. */
  keepEvidence: (text: string, bytes: number) => Promise<EvidenceRef>;
  /** `leave`: a model wrote the criteria, and there is no sandbox. */
  commands: "run" | "leave";
  /** Starts the services for API and browser criteria; absent where none are configured. */
  openStage?: () => Promise<RuntimeStage>;
}

/** Running services, and a browser that starts when it is needed. */
export interface RuntimeStage extends AsyncDisposable {
  judge: (criterion: RuntimeCriterion) => Promise<CriterionVerdict>;
  /** A picture of a page that is opened without any history; undefined when it does not load. */
  see: (path: string) => Promise<PictureRef | undefined>;
}
export type RuntimeCriterion = Extract<Criterion, { kind: "api" | "browser" }>;

export interface CriteriaCheck {
  criteria: readonly string[];
  /** The tree that is to be committed; the work tree holds it. */
  tree: string;
  /** The tree the task started from: a criterion that held there proves nothing about the work. */
  base: string;
}

export type CriterionVerdict = Pick<
  CriterionResult,
  "verdict" | "detail" | "not_started" | "evidence" | "picture"
>;
type FileCriterion = Extract<Criterion, { path: string }>;

const timeoutMs = 300_000;

/** Checks criteria and leaves the others to the reviewer (design 4.4). Services start only when everything cheaper holds. */
export async function checkCriteria(
  deps: CriteriaDeps,
  check: CriteriaCheck,
): Promise<CriterionResult[]> {
  const criteria = check.criteria.map(parseCriterion);
  const verdicts = new Map<number, CriterionVerdict>();
  for (const [index, criterion] of criteria.entries()) {
    if (!isRuntimeCriterion(criterion)) verdicts.set(index, await judge(deps, criterion, check));
  }
  const holds = [...verdicts.values()].every(({ verdict }) => verdict !== "failed");
  const runtime = criteria.flatMap((criterion, index) =>
    isRuntimeCriterion(criterion) ? [{ criterion, index }] : [],
  );
  for (const [index, verdict] of await judgeRuntime(deps, runtime, holds)) {
    verdicts.set(index, verdict);
  }
  return check.criteria.map((text, index) => ({
    number: index + 1,
    text,
    kind: criteria[index]?.kind ?? "judged",
    ...(verdicts.get(index) ?? forReviewer),
  }));
}

export const isRuntimeCriterion = (criterion: Criterion): criterion is RuntimeCriterion =>
  criterion.kind === "api" || criterion.kind === "browser";

const forReviewer: CriterionVerdict = { verdict: "to_judge", detail: "for the reviewer" };

/** In order, on one stage: a click follows the page that the criterion before it opened. */
async function judgeRuntime(
  { openStage, commands }: CriteriaDeps,
  runtime: readonly { criterion: RuntimeCriterion; index: number }[],
  holds: boolean,
): Promise<[number, CriterionVerdict][]> {
  const reason = notExecuted(openStage !== undefined, commands, holds);
  if (reason !== undefined || !openStage) {
    const verdict: CriterionVerdict = { verdict: "to_judge", detail: reason ?? forReviewer.detail };
    return runtime.map(({ index }) => [index, verdict]);
  }
  if (runtime.length === 0) return [];
  await using stage = await openStage();
  const judged: [number, CriterionVerdict][] = [];
  for (const { criterion, index } of runtime) judged.push([index, await stage.judge(criterion)]);
  return judged;
}

function notExecuted(hasServices: boolean, commands: CriteriaDeps["commands"], holds: boolean) {
  if (!hasServices) return "needs a running service";
  if (commands === "leave") return "not run: a model wrote the list, there is no sandbox";
  return holds ? undefined : "not run: another criterion does not hold";
}

async function judge(
  deps: CriteriaDeps,
  criterion: Exclude<Criterion, RuntimeCriterion>,
  check: CriteriaCheck,
): Promise<CriterionVerdict> {
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
    case "judged":
      return forReviewer;
  }
}

/** Same shell, environment and sandbox as gates. */
async function runCommand(deps: CriteriaDeps, command: string): Promise<CriterionVerdict> {
  const result = await runShell(deps, { cmd: command, timeoutMs });
  const ending = describeEnd(result.end, timeoutMs);
  const text = `$ ${deps.redact(command)}\n${result.output}\n[${ending}]\n`;
  const evidence = await deps.keepEvidence(text, result.outputBytes);
  const isProved = result.end.kind === "exited" && result.end.code === 0;
  if (isProved) return { verdict: "proved", detail: ending, evidence };
  const detail = `${ending}${lastLines(withoutPlaces(result.output, deps))}`;
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

/** The lines npm adds below every failure, the same for every reason. */
const npmAdvice =
  /^npm (?:error|ERR!)\s*(?:A complete log of this run .*|To see a list of scripts, run:|npm run|\/.*-debug-\d+\.log)?$/;

/** The last lines with text, as one line. */
function lastLines(output: string): string {
  const lines = readableLines(output.slice(-4000)).map((line) => line.trim());
  const said = lines.filter((line) => line !== "" && !npmAdvice.test(line)).slice(-3);
  return said.length === 0 ? "" : `: ${said.join(" | ").slice(-300)}`.toWellFormed();
}

async function inspectFile(
  deps: CriteriaDeps,
  criterion: FileCriterion,
  { tree, base }: CriteriaCheck,
): Promise<CriterionVerdict> {
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

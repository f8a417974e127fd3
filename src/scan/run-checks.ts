import { RalphError } from "../error.ts";
import { type Check, type CheckResult, failure, type Need, skipped, worstOf } from "./check.ts";
import { agents } from "./checks/agents.ts";
import { configuration } from "./checks/configuration.ts";
import { git } from "./checks/git.ts";
import { repository } from "./checks/repository.ts";
import { sandbox } from "./checks/sandbox.ts";
import { state } from "./checks/state.ts";
import type { ScanContext } from "./scan-context.ts";

export type NamedResult = CheckResult & { name: string };

export interface ScanListener {
  onStart: (check: Check) => void;
  onEnd: (result: NamedResult) => Promise<void>;
}

/** What others need, in words, and the check that says why it cannot be had. */
const requirements: Record<Need, { words: string; teller: Check }> = {
  state: { words: "a state directory that can be written", teller: state },
  git: { words: "git 2.34 or newer", teller: git },
  config: { words: "a valid configuration", teller: configuration },
  repo: { words: "a git repository a run can begin in", teller: repository },
  agents: { words: "the agent programs", teller: agents },
  sandbox: { words: "the sandbox this project asks for", teller: sandbox },
};

/**
 * Looks at one thing after the other; each result is told as it comes. Where something needed cannot be had, the check
 * that says why is added even if nobody asked for it: otherwise all would be well. After a cancel the rest is skipped.
 */
export async function runChecks(
  context: ScanContext,
  checks: readonly Check[],
  listener: ScanListener,
): Promise<NamedResult[]> {
  const results = new Map<string, NamedResult>();
  const examine = async (check: Check): Promise<void> => {
    if (results.has(check.name)) return;
    const missing = await missingNeed(context, check);
    if (missing) await examine(missing.teller);
    const hindrance = missing ? `needs ${missing.words}` : context.signal.aborted && "cancelled";
    if (!hindrance) listener.onStart(check);
    const result = hindrance ? skipped(hindrance) : await runCheck(context, check);
    const told = { name: check.name, ...redacted(context, result) };
    results.set(check.name, told);
    await listener.onEnd(told);
  };
  for (const check of checks) await examine(check);
  return [...results.values()];
}

async function missingNeed(context: ScanContext, { needs }: Check) {
  for (const need of context.signal.aborted ? [] : needs) {
    const isThere = await context[need]().then(() => true, isBadNews);
    if (!isThere) return requirements[need];
  }
  return undefined;
}

/** Bad news belongs to the check that looks at it; a bug is a bug. */
function isBadNews(error: unknown): false {
  if (error instanceof RalphError) return false;
  throw error;
}

async function runCheck(context: ScanContext, { run: look, fixes }: Check): Promise<CheckResult> {
  try {
    return await look(context);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const { message, remedy, problems } = error;
    const more = { ...(fixes && { fixes }), ...(problems.length > 0 && { problems }) };
    return failure(message, { remedy, ...more });
  }
}

/** Messages may quote files and programs. */
function redacted({ redact }: ScanContext, result: CheckResult): CheckResult {
  const { message, remedy, problems } = result;
  const clean = problems?.map((problem) => ({ ...problem, message: redact(problem.message) }));
  return {
    ...result,
    message: redact(message),
    ...(remedy && { remedy: redact(remedy) }),
    ...(clean && { problems: clean }),
  };
}

/** What all results come to: `pass`, `warning` or `error`. */
export const overallStatus = (results: readonly CheckResult[]) =>
  worstOf(results.map(({ status }) => status));

/** Checks of the project's own files: exit 2 where all others are exit 1 (compatibility 1.17). */
const ownFiles = ["configuration", "tasks"];

/** 0; 1 something required is missing or does not work; 2 configuration or task list; 3 warnings, when strict. */
export function exitCodeOf(
  results: readonly NamedResult[],
  { isStrict }: { isStrict: boolean },
): number {
  const failed = results.filter(({ status }) => status === "error");
  if (failed.some(({ name }) => !ownFiles.includes(name))) return 1;
  if (failed.length > 0) return 2;
  return isStrict && results.some(({ status }) => status === "warning") ? 3 : 0;
}

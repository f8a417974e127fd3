import { RalphError } from "../error.ts";
import { type Check, type CheckResult, failure, type Need, skipped, worstOf } from "./check.ts";
import { agents } from "./checks/agents.ts";
import { configuration } from "./checks/configuration.ts";
import { git, state } from "./checks/machine.ts";
import { repository } from "./checks/repository.ts";
import { sandbox } from "./checks/sandbox.ts";
import type { ScanContext } from "./scan-context.ts";

export type NamedResult = CheckResult & { name: string };

export interface ScanListener {
  onStart: (check: Check) => void;
  onEnd: (result: NamedResult) => Promise<void>;
}

/** The label of each requirement, and the check that reports why it is not met. */
const requirements: Record<Need, { label: string; check: Check }> = {
  state: { label: "a writable state directory", check: state },
  git: { label: "git 2.34 or newer", check: git },
  config: { label: "a valid configuration", check: configuration },
  repo: { label: "a git repository in which a run can start", check: repository },
  agents: { label: "the agent programs", check: agents },
  sandbox: { label: "the sandbox of this project", check: sandbox },
};

/** Runs checks in order, and the check that reports why a requirement is not met. After a cancel the rest is skipped. */
export async function runChecks(
  context: ScanContext,
  checks: readonly Check[],
  listener: ScanListener,
): Promise<NamedResult[]> {
  const results = new Map<string, NamedResult>();
  const examine = async (check: Check): Promise<void> => {
    if (results.has(check.name)) return;
    const missing = await missingNeed(context, check);
    if (missing) await examine(missing.check);
    const reason = missing ? `needs ${missing.label}` : context.signal.aborted && "cancelled";
    if (!reason) listener.onStart(check);
    const result = reason ? skipped(reason) : await runCheck(context, check);
    const named = { name: check.name, ...redacted(context, result) };
    results.set(check.name, named);
    await listener.onEnd(named);
  };
  for (const check of checks) await examine(check);
  return [...results.values()];
}

async function missingNeed(context: ScanContext, { needs }: Check) {
  for (const need of context.signal.aborted ? [] : needs) {
    const isMet = await context[need]().then(() => true, isRefusal);
    if (!isMet) return requirements[need];
  }
  return undefined;
}

/** A RalphError is reported by the check of that requirement; other errors are bugs. */
function isRefusal(error: unknown): false {
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

/** Messages may quote files and output, so secrets are redacted. */
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

/** The overall status: `pass`, `warning` or `error`. */
export const overallStatus = (results: readonly CheckResult[]) =>
  worstOf(results.map(({ status }) => status));

/** Checks that fail with an exit code of their own (compatibility 1.17); all others fail with exit 1. */
const exitCodes: Readonly<Record<string, number>> = {
  configuration: 2,
  tasks: 2,
  "base-branch": 14,
};

/**
 * 0: ready; 1: a requirement is missing or does not work; 2: configuration or task list; 14: the base branch; 3:
 * warnings, if strict. The lowest code of several failed checks wins.
 */
export function exitCodeOf(
  results: readonly NamedResult[],
  { isStrict }: { isStrict: boolean },
): number {
  const failed = results.filter(({ status }) => status === "error");
  if (failed.length > 0) return Math.min(...failed.map(({ name }) => exitCodes[name] ?? 1));
  return isStrict && results.some(({ status }) => status === "warning") ? 3 : 0;
}

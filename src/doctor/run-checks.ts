import { RalphError } from "../error.ts";
import { type Check, type CheckResult, failure, type Need, skipped, worstOf } from "./check.ts";
import type { Scene } from "./scene.ts";

export type NamedResult = CheckResult & { name: string };

export interface Watcher {
  onStart: (check: Check) => void;
  onEnd: (result: NamedResult) => Promise<void>;
}

/** Looks at one thing after the other; each result is told as it comes. After a cancel the rest is skipped. */
export async function runChecks(
  scene: Scene,
  checks: readonly Check[],
  watcher: Watcher,
): Promise<NamedResult[]> {
  const results: NamedResult[] = [];
  for (const check of checks) {
    const hindrance = await hindranceOf(scene, check);
    if (hindrance === undefined) watcher.onStart(check);
    const result = hindrance ?? (await lookAt(scene, check));
    const clean = { name: check.name, ...result, message: scene.redact(result.message) };
    results.push(clean);
    await watcher.onEnd(clean);
  }
  return results;
}

const needed: Record<Need, string> = {
  config: "a valid configuration",
  repo: "a git repository a run can begin in",
  sandbox: "the sandbox this project asks for",
};

/** Why a check makes no sense here, as its result. */
async function hindranceOf(scene: Scene, { needs }: Check): Promise<CheckResult | undefined> {
  if (scene.signal.aborted) return skipped("cancelled");
  for (const need of needs) {
    const isThere = await scene[need]().then(() => true, isBadNews);
    if (!isThere) return skipped(`needs ${needed[need]}`);
  }
  return undefined;
}

/** Bad news belongs to the check that looks at it; a bug is a bug. */
function isBadNews(error: unknown): false {
  if (error instanceof RalphError) return false;
  throw error;
}

async function lookAt(scene: Scene, { look, fixes }: Check): Promise<CheckResult> {
  try {
    return await look(scene);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const { message, remedy, problems } = error;
    const more = { ...(fixes && { fixes }), ...(problems.length > 0 && { problems }) };
    return failure(message, { remedy, ...more });
  }
}

/** What all results come to: `pass`, `warning` or `error`. */
export const verdictOf = (results: readonly CheckResult[]) =>
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

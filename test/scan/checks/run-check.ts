import type { Environment } from "../../../src/platform/system.ts";
import type { Check, CheckResult } from "../../../src/scan/check.ts";
import { runChecks } from "../../../src/scan/run-checks.ts";
import { openScanContext } from "../../../src/scan/scan-context.ts";
import type { Project } from "../../support/project/project.ts";

/** What one check finds in a project; `env` is added to its environment. */
export async function runCheck(
  { system, root }: Pick<Project, "system" | "root">,
  check: Check,
  {
    env = {},
    signal = new AbortController().signal,
  }: { env?: Environment; signal?: AbortSignal } = {},
): Promise<CheckResult> {
  await using context = await openScanContext(
    { ...system, env: { ...system.env, ...env } },
    { directory: root, config: undefined, sessionDir: (at) => `${at}/.ralph-session`, signal },
  );
  const listener = { onStart: () => {}, onEnd: async () => {} };
  const results = await runChecks(context, [check], listener);
  const result = results.find(({ name }) => name === check.name);
  if (!result) throw new Error("There was no result.");
  return result;
}

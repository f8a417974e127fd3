import type { Environment } from "../../../src/platform/system.ts";
import type { Check, CheckResult } from "../../../src/scan/check.ts";
import { runChecks } from "../../../src/scan/run-checks.ts";
import { openScene } from "../../../src/scan/scene.ts";
import type { Project } from "../../support/project/project.ts";

/** What one check finds in a project; `env` is added to its environment. */
export async function look(
  { system, root }: Pick<Project, "system" | "root">,
  check: Check,
  {
    env = {},
    signal = new AbortController().signal,
  }: { env?: Environment; signal?: AbortSignal } = {},
): Promise<CheckResult> {
  await using scene = await openScene(
    { ...system, env: { ...system.env, ...env } },
    { directory: root, config: undefined, sessionDir: (at) => `${at}/.ralph-session`, signal },
  );
  const watcher = { onStart: () => {}, onEnd: async () => {} };
  const results = await runChecks(scene, [check], watcher);
  const result = results.find(({ name }) => name === check.name);
  if (!result) throw new Error("There was no result.");
  return result;
}

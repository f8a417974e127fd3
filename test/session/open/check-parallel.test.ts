import { expect, test } from "vitest";
import type { Ask } from "../../../src/platform/system.ts";
import { checkParallel } from "../../../src/session/open/check-agents.ts";

const system = (version: string) => {
  const ask: Ask = async () => ({
    exitCode: 0,
    stdout: Buffer.from(`git version ${version}\n`),
    stderr: "",
  });
  return { ask, env: {} };
};
const config = (parallel: number) =>
  ({ limits: { parallel } }) as Parameters<typeof checkParallel>[1];

test.each([
  ["2.38.0", 2],
  ["2.39.5", 8],
  ["3.0.0", 2],
  ["2.34.1", 1],
])("git %s is enough for %d at a time", async (version, parallel) => {
  await expect(checkParallel(system(version), config(parallel))).resolves.toBeUndefined();
});

test("git 2.37 cannot merge without a work tree: exit 1, with the way out", async () => {
  await expect(checkParallel(system("2.37.3"), config(2))).rejects.toMatchObject({
    reason: "config",
    message: "Parallel tasks need git 2.38 or newer; this is 2.37.",
  });
});

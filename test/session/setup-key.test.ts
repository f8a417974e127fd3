import { expect, test } from "vitest";
import { setupKey } from "../../src/session/workers/set-up-worker.ts";
import { createTestSystem } from "../support/project/system.ts";

const step = { name: "install", cmd: "npm ci", cache: ["../../package-lock.json"] };
const journal = { state: { headTree: "" } };

test("the lockfile of the workspace above a project decides whether setup runs again", async () => {
  await using system = await createTestSystem();
  const repo = { worktree: system.root, prefix: "packages/a/" };
  const write = (text: string) => system.files(system.root).write("package-lock.json", text);
  await write("1");
  const first = await setupKey({ system, repo, journal }, step);
  expect(await setupKey({ system, repo, journal }, step)).toBe(first);
  await write("2");
  expect(await setupKey({ system, repo, journal }, step)).not.toBe(first);
});

test("a file outside of the repository is refused: exit 1", async () => {
  await using system = await createTestSystem();
  const repo = { worktree: system.root, prefix: "a/" };
  await expect(setupKey({ system, repo, journal }, step)).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringContaining("../../package-lock.json"),
  });
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { downloadedBundle, downloadFolder } from "../../../src/action/inputs/downloaded-bundle.ts";
import { createTestSystem } from "../../support/project/system.ts";

async function found(
  names: readonly string[],
  { files = [], suffix }: { files?: readonly string[]; suffix?: string } = {},
) {
  await using system = await createTestSystem();
  const temp = { RUNNER_TEMP: system.root };
  const folder = downloadFolder(temp);
  mkdirSync(folder);
  for (const name of names) mkdirSync(join(folder, name));
  for (const name of files) writeFileSync(join(folder, name), "{}\n");
  const bundle = await downloadedBundle({ ...system, env: temp }, { "artifact-suffix": suffix });
  return bundle.slice(folder.length);
}

test("the newest attempt is chosen, compared as a number", async () => {
  const names = ["ralph-session-1001-2", "ralph-session-1001-10", "ralph-session-1001-1"];
  expect(await found(names)).toBe("/ralph-session-1001-10");
});

test("a single artifact without a folder of its own is found", async () => {
  expect(await found([], { files: ["journal.jsonl"] })).toBe("");
});

test("artifacts with a similar name are ignored", async () => {
  const names = ["ralph-session-1001-9-evil", "ralph-session-1001-1", "x-ralph-session-1001-8"];
  expect(await found(names)).toBe("/ralph-session-1001-1");
});

test("with a suffix only the sessions of that caller are found", async () => {
  const names = ["ralph-session-1001-2", "ralph-session-1001-1-web", "ralph-session-1001-3-api"];
  expect(await found(names, { suffix: "web" })).toBe("/ralph-session-1001-1-web");
});

test("without a session, the remedy names the job that has to run before", async () => {
  await expect(found(["other"])).rejects.toMatchObject({
    exitCode: 2,
    message: "This workflow run has no session among its artifacts.",
  });
});

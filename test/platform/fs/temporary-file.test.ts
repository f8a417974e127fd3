import { link, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  createTemporaryName,
  sweepTemporaryFiles,
} from "../../../src/platform/fs/temporary-file.ts";
import { nodeCommand, sourceUrl } from "../../support/project/programs.ts";
import { createTestSystem } from "../../support/project/system.ts";

test("what a dead process left is swept; a living one's file and all others stay (F03)", async () => {
  await using system = await createTestSystem();
  const script = `
    import { createTemporaryName } from ${JSON.stringify(sourceUrl("platform/fs/temporary-file.ts"))};
    console.log(createTemporaryName());`;
  const other = await system.ask({ ...nodeCommand(script), cwd: system.root, env: system.env });
  const dead = other.stdout.toString().trim();
  const alive = createTemporaryName();
  // The same process id at another time is another process.
  const reused = alive.replace(/-\d+-([0-9a-f]{16})$/, "-1-$1");
  const kept = [alive, "prd.json", ".ralph-tmp-notes"];
  for (const name of [dead, reused, ...kept]) await writeFile(join(system.root, name), "");
  const swept = await sweepTemporaryFiles(system.files(system.root), ".");
  expect(swept.sort()).toEqual([dead, reused].sort());
  expect((await readdir(system.root)).sort()).toEqual(kept.sort());
});

test("a lock that is a dead process's draft goes with it; a lock of another process stays", async () => {
  await using system = await createTestSystem();
  const at = (name: string) => join(system.root, name);
  const dead = createTemporaryName().replace(/-\d+-([0-9a-f]{16})$/, "-1-$1");
  await writeFile(at(dead), "draft");
  await link(at(dead), at("index.lock"));
  await writeFile(at("HEAD.lock"), "their");
  await sweepTemporaryFiles(system.files(system.root), ".");
  expect(await readdir(system.root)).toEqual(["HEAD.lock"]);
});

test("names cannot be guessed", () => {
  expect(createTemporaryName()).not.toBe(createTemporaryName());
});

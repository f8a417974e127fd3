import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listToolPaths } from "../../src/sandbox/agent-home.ts";
import { createTestFolder } from "../support/project/system.ts";

test("installed tools are listed with their libraries, and nothing beside them", async () => {
  await using folder = await createTestFolder();
  const home = folder.path;
  const there = [
    ".nvm/versions/node/v24/bin",
    ".pyenv/plugins/virtualenv/shims",
    ".cargo/bin",
    ".cargo/lib",
    ".ssh",
    "bin",
    "conda/bin",
    "conda/lib",
    "scripts/bin",
    "tools/ralph-agents/claude/node_modules/.bin",
    "lib",
  ];
  for (const path of there) mkdirSync(join(home, path), { recursive: true });
  const named = [
    ".pyenv/plugins/virtualenv/shims",
    ".cargo/bin",
    "bin",
    "conda/bin",
    "scripts/bin",
    "gone/bin",
    there[9],
  ];
  const path = [...named.map((name) => `${home}/${name}`), "/usr/bin", home].join(":");
  expect(
    listToolPaths(home, path)
      .map((found) => found.slice(home.length + 1))
      .sort(),
  ).toEqual([
    ".cargo/bin",
    ".nvm",
    ".pyenv",
    "bin",
    "conda",
    "scripts/bin",
    "tools/ralph-agents/claude/node_modules",
  ]);
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { neededPlanner, withGivenKeys } from "../../../src/action/install/needed-programs.ts";
import type { Environment } from "../../../src/platform/system.ts";
import { configWith } from "../../support/builders/config.ts";
import { createTestSystem } from "../../support/project/system.ts";

type Given = { analysis?: object; agents?: object; keys?: string[]; env?: Environment };

/** The programs to install for the analysis, on a runner that has the programs `there`. */
async function needed({ analysis = {}, agents, keys = [], env }: Given, there: string[] = []) {
  await using system = await createTestSystem();
  const bin = join(system.root, "bin");
  mkdirSync(bin);
  for (const name of there) writeFileSync(join(bin, name), "#!/bin/sh\n", { mode: 0o755 });
  const config = configWith({ autopilot: { analysis }, ...(agents && { agents }) });
  const known = { PATH: `${bin}:/usr/bin:/bin`, RALPH_GIVEN_KEYS: keys.join("  ") };
  const place = { ...system, env: { ...known, ...env } };
  return await neededPlanner(withGivenKeys({ system: place, root: system.root, config }));
}

test("a key for a later step selects a provider's API, and no program", async () => {
  expect(await needed({ keys: ["OPENROUTER_API_KEY"] })).toEqual([]);
  expect(await needed({ env: { OPENAI_API_KEY: "of the job" } })).toEqual([]);
  expect(await needed({ analysis: { provider: "openai" } })).toEqual([]);
});

test("without a key the planning agent's program is needed", async () => {
  expect(await needed({})).toEqual(["claude"]);
  expect(await needed({ agents: { planning: { driver: "codex" } } })).toEqual(["codex"]);
});

test("claude replaces its own provider's API", async () => {
  const keys = ["OPENAI_API_KEY"];
  expect(await needed({ keys, analysis: { provider: "claude_cli" } })).toEqual(["claude"]);
  expect(await needed({ keys, analysis: { provider: "anthropic" } })).toEqual(["claude"]);
});

test("a present program, or the user's own, is not installed", async () => {
  expect(await needed({}, ["claude"])).toEqual([]);
  expect(await needed({ env: { RALPH_CLAUDE_CMD: "my-claude" } })).toEqual([]);
});

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentVersion, findProgram } from "../../../src/agents/call/agent-version.ts";
import { claude } from "../../../src/agents/drivers/claude.ts";
import { command } from "../../../src/agents/drivers/command.ts";
import type { CommandLine } from "../../../src/agents/drivers/driver.ts";
import { createTestSystem } from "../../support/project/system.ts";

const says = (script: string): CommandLine => ["bash", "-c", script, "agent"];

async function versionOf(program: CommandLine, driver = claude) {
  await using system = await createTestSystem({ env: { ANTHROPIC_API_KEY: "k1.2.3" } });
  return await agentVersion(system, { driver, program }, system.root);
}

test.each([
  ["echo '2.1.329 (Claude Code)'", "2.1.329"],
  ["echo WARNING >&2; echo 'codex-cli 0.169.0'", "0.169.0"],
  ["echo v1.2", "1.2"],
  ["echo 1.2.3-beta.4+build", "1.2.3-beta.4+build"],
  [`[ "$1" = --version ] && echo 3.4.5`, "3.4.5"],
  ["echo no version", undefined],
  ["echo 1.2.3; exit 1", undefined],
  ['echo "$ANTHROPIC_API_KEY"', undefined],
  ["cat", undefined],
])("a program that runs %j has version %s", async (script, expected) => {
  expect(await versionOf(says(script))).toBe(expected);
});

test("a program that is missing, or a driver that knows no way to ask, has none", async () => {
  expect(await versionOf(["no-such-program-anywhere"])).toBeUndefined();
  expect(await versionOf(says("echo 1.2.3"), command)).toBeUndefined();
});

test("a program is found on PATH, and by its path from the project", async () => {
  await using system = await createTestSystem();
  const path = join(system.root, "my agent");
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o755);
  const find = (file: string) => findProgram(system, { file, root: system.root });
  expect(await find("sh")).toMatch(/^\/.*\/sh$/);
  expect(await find("./my agent")).toBe("./my agent");
  expect(await find(path)).toBe(path);
});

test.each(["no-such-program", "./gone", "--version", "$(echo sh)", ""])(
  "%j is no program",
  async (file) => {
    await using system = await createTestSystem();
    expect(await findProgram(system, { file, root: system.root })).toBeUndefined();
  },
);

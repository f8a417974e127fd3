import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProgram } from "../../../src/agents/call/agent-version.ts";
import { createTestSystem } from "../../support/project/system.ts";

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

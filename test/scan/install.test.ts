import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandsOf } from "../../src/scan/install.ts";
import { createTestSystem } from "../support/project/system.ts";

/** A PATH with a shell and nothing else but the programs named. */
async function createMachine(...programs: string[]) {
  const system = await createTestSystem();
  const bin = join(system.root, "bin");
  mkdirSync(bin);
  symlinkSync("/bin/sh", join(bin, "sh"));
  for (const name of programs) {
    writeFileSync(join(bin, name), "#!/bin/sh\nexit 1\n");
    chmodSync(join(bin, name), 0o755);
  }
  return { ...system, env: { PATH: bin } };
}

test.each([
  ["apt-get", "bwrap", "sudo apt-get install -y bubblewrap"],
  ["dnf", "git", "sudo dnf install -y git"],
  ["apk", "flock", "sudo apk add util-linux"],
  ["brew", "go", "brew install go"],
  ["pacman", "python3", "sudo pacman -S --noconfirm python"],
  ["apt-get", "claude", "npm install --global @anthropic-ai/claude-code"],
])("with %s, %s is installed by `%s`", async (manager, install, expected) => {
  await using machine = await createMachine(manager, "sudo");
  expect(await commandsOf(machine, [{ install }])).toEqual([expected]);
});

test("without sudo, as in a container, commands are without it", async () => {
  await using machine = await createMachine("apt-get");
  expect(await commandsOf(machine, [{ install: "git" }])).toEqual(["apt-get install -y git"]);
});

test("what no package is known for is left out; a command stays as it is", async () => {
  await using machine = await createMachine("apt-get");
  const fixes = [{ install: "our-own-linter" }, { install: "uv" }, { command: "git stash -u" }];
  expect(await commandsOf(machine, fixes)).toEqual(["git stash -u"]);
});

test("without a package manager only npm commands are shown", async () => {
  await using machine = await createMachine();
  const fixes = [{ install: "git" }, { install: "codex" }];
  expect(await commandsOf(machine, fixes)).toEqual(["npm install --global @openai/codex"]);
});

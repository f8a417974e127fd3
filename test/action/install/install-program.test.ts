import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  installProgram,
  type ProgramInstallation,
} from "../../../src/action/install/install-program.ts";
import { thorough } from "../../setup/sampled.ts";
import {
  type FakePackage,
  type NpmRegistry,
  startNpmRegistry,
} from "../../support/project/npm-registry.ts";
import { createTestSystem } from "../../support/project/system.ts";

const script = (says: string) => `#!/bin/sh\necho '${says}'\n`;

/** It would like to run a script of its own while it is installed. */
const codex: FakePackage = {
  name: "@openai/codex",
  version: "1.2.3",
  manifest: { bin: { codex: "codex.sh" }, scripts: { postinstall: "echo ran >>$HOME/ran" } },
  files: { "codex.sh": script("codex 1.2.3") },
};
const claude: FakePackage = {
  name: "@anthropic-ai/claude-code",
  version: "4.5.6",
  manifest: { bin: { claude: "claude.sh" }, scripts: { postinstall: "echo ran >>$HOME/ran" } },
  files: {
    "claude.sh": script("not in its place yet").replace("\necho", "\nexit 1; echo"),
    "install.cjs": `require("node:fs").writeFileSync(__dirname + "/claude.sh", "#!/bin/sh\\necho 4.5.6\\n")`,
  },
};

/** A machine with a home, a registry and pins of both programs. */
async function createMachine() {
  const registry = await startNpmRegistry([codex, claude]);
  const system = await createTestSystem({ stepMs: 1500 });
  const at = (path: string) => join(system.root, path);
  mkdirSync(at("home"));
  writePin(at("pins/codex"), registry, codex);
  writePin(at("pins/claude"), registry, claude);
  const env = {
    ...system.env,
    HOME: at("home"),
    npm_config_registry: registry.url,
    npm_config_cache: at("cache"),
    npm_config_fetch_retries: "0",
    npm_config_update_notifier: "false",
  };
  const install = (more: Partial<ProgramInstallation> = {}, other: Record<string, string> = {}) =>
    installProgram(
      { ...system, env: { ...env, ...other } },
      { program: "codex", pins: at("pins"), place: at("place"), version: undefined, ...more },
    );
  return {
    registry,
    at,
    install,
    npm: (...args: string[]) => system.ask({ file: "npm", args, cwd: system.root, env }),
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await system[Symbol.asyncDispose]();
    },
  };
}

function writePin(folder: string, registry: NpmRegistry, { name, version, manifest }: FakePackage) {
  mkdirSync(folder, { recursive: true });
  const dependencies = { [name]: version };
  const entry = { version, integrity: registry.integrity(name), bin: manifest?.bin };
  const packages = { "": { dependencies }, [`node_modules/${name}`]: entry };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  const lock = { name: "pin", lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
}

const tampered: FakePackage = {
  ...codex,
  files: { "codex.sh": script("codex 1.2.3 with a gift") },
};

test("the pinned version is installed, and its version and the duration are reported", async () => {
  await using machine = await createMachine();
  const { folder, version, ms } = await machine.install();
  expect(folder).toBe(machine.at("place/codex/node_modules/.bin"));
  expect(version).toBe("1.2.3");
  expect(ms).toBe(1500);
  expect(readFileSync(join(folder, "codex"), "utf8")).toContain("codex 1.2.3");
});

thorough("no install script runs, except the one that puts claude in place", async () => {
  await using machine = await createMachine();
  await machine.install();
  const { folder } = await machine.install({ program: "claude" });
  expect(existsSync(machine.at("home/ran"))).toBe(false);
  expect(readFileSync(join(folder, "claude"), "utf8")).toContain("4.5.6");
  await machine.install({}, { npm_config_ignore_scripts: "false" });
  expect(existsSync(machine.at("home/ran"))).toBe(false);
});

thorough("a script of a package would run for anybody who installs without that care", async () => {
  await using machine = await createMachine();
  await machine.npm("install", "--no-audit", "--ignore-scripts=false", "@openai/codex@1.2.3");
  expect(existsSync(machine.at("home/ran"))).toBe(true);
});

describe("a registry that serves other bytes than were locked", () => {
  test("is refused, and nothing of it is started (T58)", async () => {
    await using machine = await createMachine();
    machine.registry.replace(tampered);
    await expect(machine.install()).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/`npm ci .*` failed[\s\S]*EINTEGRITY/),
      remedy: expect.stringContaining("registry"),
    });
    expect(existsSync(machine.at("place/codex/node_modules/.bin/codex"))).toBe(false);
  });

  thorough("would get through without the lock", async () => {
    await using machine = await createMachine();
    machine.registry.replace(tampered);
    const { folder } = await machine.install({ version: "1.2.3" });
    expect(readFileSync(join(folder, "codex"), "utf8")).toContain("a gift");
  });
});

thorough("exactly the version a workflow names is installed", async () => {
  await using machine = await createMachine();
  machine.registry.replace({ ...codex, version: "1.3.0" });
  expect(await machine.install({ version: "1.3.0" })).toMatchObject({ version: "1.3.0" });
  await expect(machine.install({ version: "1.2.9" })).rejects.toThrow(
    /`npm install .*` failed[\s\S]*@openai\/codex@1\.2\.9/,
  );
});

thorough("files that an earlier job left in the same place are not used", async () => {
  await using machine = await createMachine();
  await machine.install({ version: "1.2.3" });
  const left = machine.at("place/codex/node_modules/@openai/codex/left");
  writeFileSync(left, "");
  writeFileSync(machine.at("place/codex/.npmrc"), "registry=http://127.0.0.1:9\n");
  await machine.install({ version: "1.2.3" });
  expect(existsSync(left)).toBe(false);
});

test("npm is given no token and no key of the job", async () => {
  await using machine = await createMachine();
  const spy = machine.at("bin");
  mkdirSync(spy);
  writeFileSync(join(spy, "npm"), `#!/bin/sh\nenv >"${machine.at("seen")}"\nexit 1\n`, {
    mode: 0o755,
  });
  const secrets = {
    GITHUB_TOKEN: "canary",
    ANTHROPIC_API_KEY: "canary",
    NODE_AUTH_TOKEN: "canary",
    npm_config__authToken: "canary",
    ACTIONS_RUNTIME_TOKEN: "canary",
    GITHUB_ENV: "/canary",
  };
  const PATH = `${spy}:${process.env.PATH}`;
  await expect(machine.install({}, { ...secrets, PATH })).rejects.toThrow(/failed/);
  const seen = readFileSync(machine.at("seen"), "utf8");
  expect(seen).toContain("npm_config_registry=");
  expect(seen).not.toContain("canary");
});

describe("where it cannot be installed", () => {
  test("a runner without npm has its own message", async () => {
    await using machine = await createMachine();
    await expect(machine.install({}, { PATH: machine.at("home") })).rejects.toMatchObject({
      exitCode: 1,
      message: "The agent program cannot be installed: this runner has no npm.",
      remedy: expect.stringContaining("actions/setup-node"),
    });
  });

  test("without a network the message quotes npm and gives a remedy", async () => {
    await using machine = await createMachine();
    const nowhere = { npm_config_registry: "http://127.0.0.1:9" };
    await expect(machine.install({}, nowhere)).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(
        /failed while installing the agent program[\s\S]*ECONNREFUSED/,
      ),
      remedy: expect.stringContaining("install the program in an earlier step"),
    });
  });

  test.each(["cursor", "constructor", "command"])("%s cannot be installed", async (program) => {
    await using machine = await createMachine();
    await expect(machine.install({ program })).rejects.toMatchObject({
      exitCode: 1,
      remedy: expect.stringContaining("claude, codex, gemini"),
    });
  });
});

type Lock = { packages: Record<string, { version?: string; integrity?: string }> };
const read = (path: string): Lock => JSON.parse(readFileSync(path, "utf8"));

describe("the pins of this release", () => {
  const programs = ["claude", "codex", "gemini"];

  test.each(programs)("%s is one exact version with a hash of every package", (program) => {
    const { packages } = read(`src/action/programs/${program}/package-lock.json`);
    for (const [path, { version, integrity }] of Object.entries(packages)) {
      if (path === "") continue;
      expect(version, path).toMatch(/^\d+\.\d+\.\d+/);
      expect(integrity, path).toMatch(/^sha512-/);
    }
  });

  test("are the bytes the tests with real programs run", () => {
    const tested = read("test/agents-real/package-lock.json").packages;
    const names = ["@anthropic-ai/claude-code", "@openai/codex"];
    for (const [index, name] of names.entries()) {
      const { packages } = read(`src/action/programs/${programs[index]}/package-lock.json`);
      const { version, integrity } = packages[`node_modules/${name}`] ?? {};
      expect(tested[`node_modules/${name}`]).toMatchObject({ version, integrity });
    }
  });
});

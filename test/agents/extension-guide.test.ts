import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requireKeys } from "../../src/action/checks/require-keys.ts";
import { isInstallable } from "../../src/action/install/install-program.ts";
import { refuseForbidden } from "../../src/agents/call/environment.ts";
import { createPlainReader } from "../../src/agents/drivers/command.ts";
import type { Driver } from "../../src/agents/drivers/driver.ts";
import { agentFiles, driverNamed, drivers } from "../../src/agents/drivers/drivers.ts";
import { startWith } from "../../src/agents/drivers/program.ts";
import { checkCommits } from "../../src/github/verify/check-commits.ts";
import { readTrustedStart } from "../../src/github/verify/trusted-start.ts";
import { readJournal } from "../../src/journal/audit.ts";
import { sessionIds } from "../../src/journal/session-store.ts";
import { credentials } from "../../src/scan/checks/credentials.ts";
import { commandsOf } from "../../src/scan/install.ts";
import { locateProject, openSide } from "../../src/session/open/locate-project.ts";
import { runCheck } from "../scan/checks/run-check.ts";
import { configWith, everyRole } from "../support/builders/config.ts";
import { task } from "../support/builders/session.ts";
import { createProject, type Project } from "../support/project/project.ts";

const example: Driver = {
  name: "example",
  program: "example",
  version: ["--version"],
  home: ".example",
  projectFiles: ["EXAMPLE.md"],
  login: { file: "login.json", variable: "EXAMPLE_HOME" },
  npm: { name: "@example/cli" },
  remedy: "Install example (`npm install --global @example/cli`).",
  credentials: [{ names: ["EXAMPLE_API_KEY", "EXAMPLE_HOME"] }],
  command: startWith(({ model }) => [
    "--print",
    ...(model === undefined ? [] : ["--model", model]),
  ]),
  createReader: createPlainReader,
};

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const guide = read("src/agents/README.md");

test("the example is the one of the guide, word for word", () => {
  const [, block = "none"] = /```ts\n([\s\S]*?)```/.exec(guide) ?? [];
  expect(read("test/agents/extension-guide.test.ts")).toContain(`\n${block}`);
});

/** Whatever the guide names that a driver in the list still lacks. */
function forgottenPlaces({ name, home, npm }: Driver): string[] {
  const pin = `src/action/programs/${name}/package.json`;
  const table = guide.slice(guide.indexOf("## What the programs can do"));
  const places: [string, boolean][] = [
    [`test/agents/drivers/${name}.test.ts`, isFile(`test/agents/drivers/${name}.test.ts`)],
    ["docs/running.md", read("docs/running.md").includes(`| \`${name}\``)],
    ["src/agents/README.md", home === undefined || table.includes(` ${name} |`)],
    [pin, npm === undefined || (isFile(pin) && read(pin).includes(`"${npm.name}"`))],
    ["action.yml", npm === undefined || describedAgents().includes(name)],
  ];
  return places.filter(([, isThere]) => !isThere).map(([path]) => path);
}

const isFile = (path: string) => existsSync(new URL(`../../${path}`, import.meta.url));
const describedAgents = () =>
  /description: Driver of every role \(([^)]*)\)/.exec(read("action.yml"))?.[1]?.split(", ") ?? [];

test.each(drivers.map((driver) => [driver.name, driver] as const))(
  "%s has every file and every line of documentation the guide asks for",
  (_name, driver) => expect(forgottenPlaces(driver)).toEqual([]),
);

test("a driver that is only in the list lacks its test, its documentation and its pin", () => {
  expect(forgottenPlaces(example)).toEqual([
    "test/agents/drivers/example.test.ts",
    "docs/running.md",
    "src/agents/README.md",
    "src/action/programs/example/package.json",
    "action.yml",
  ]);
});

describe("with the example in the list", () => {
  beforeAll(() => void (drivers as Driver[]).push(example));
  afterAll(() => void (drivers as Driver[]).pop());

  const agentSettings = { driver: "example" };
  const config = configWith({ agents: everyRole(agentSettings) });

  test("the configuration may name it", () => {
    expect(driverNamed("example")).toBe(example);
    expect(agentFiles()).toEqual(expect.arrayContaining([".example", "EXAMPLE.md"]));
  });

  test("a session puts changes of its files back, and gives it a home of its own", async () => {
    await using project = await createProject({
      tasks: [task("T-001")],
      agent: {
        implementation: `mkdir -p sub/.example; echo x >sub/.example/config.toml; echo x >EXAMPLE.md
          mkdir -p "$HOME/.example" && echo x >"$HOME/.example/x" && cat "$HOME/.example/login.json" && honest`,
      },
      sandbox: { mode: "auto" },
      env: { EXAMPLE_API_KEY: "key" },
    });
    exampleCalls(project);
    mkdirSync(join(project.folder, "home/.example"), { recursive: true });
    writeFileSync(join(project.folder, "home/.example/login.json"), "{}");
    const { exitCode, facts } = await project.run();
    expect(facts("agent_end")[0]?.refused).toEqual(["EXAMPLE.md", "sub/.example/config.toml"]);
    expect(exitCode).toBe(0);
    expect(readdirSync(join(project.folder, "home/.example"))).toEqual(["login.json"]);
    await expect(publishChange(project, ".example/config.toml")).rejects.toMatchObject({
      message: expect.stringContaining(".example/config.toml: is protected"),
    });
  });

  test("`ralph scan` checks its key and its login, and prints its installation", async () => {
    await using project = await createProject({ tasks: [task("T-001")] });
    exampleCalls(project);
    const env = { EXAMPLE_HOME: join(project.folder, "elsewhere") };
    expect(await runCheck(project, credentials, { env: { EXAMPLE_API_KEY: "key" } })).toMatchObject(
      {
        message: "example: API key (EXAMPLE_API_KEY)",
      },
    );
    mkdirSync(env.EXAMPLE_HOME);
    writeFileSync(join(env.EXAMPLE_HOME, "login.json"), "{}");
    expect(await runCheck(project, credentials, { env })).toMatchObject({
      message: expect.stringContaining("elsewhere/login.json"),
    });
    expect(await commandsOf(project.system, [{ install: "example" }])).toEqual([
      "npm install --global @example/cli",
    ]);
  });

  test("the action installs it, and asks for its key", () => {
    expect(isInstallable("example")).toBe(true);
    expect(() => requireKeys(config, {})).toThrow("There is no model key for example.");
    expect(() => requireKeys(config, { EXAMPLE_API_KEY: "key" })).not.toThrow();
  });
});

test("only a driver's own token may be named in `agents.env`", () => {
  expect(() => refuseForbidden("agents.env", ["CLAUDE_CODE_OAUTH_TOKEN"])).not.toThrow();
  expect(() => refuseForbidden("agents.env", ["OTHER_TOKEN"])).toThrow("OTHER_TOKEN");
});

/** The project calls the example, which is the project's stand-in program. */
function exampleCalls(project: Project): void {
  const path = ".ralph/ralph.yml";
  const text = project.read(path).replaceAll('"driver": "command"', '"driver": "example"');
  project.write(path, text);
  project.git("commit", "-qam", "example");
}

/** Holds a commit that changes one file against the firewall of the last session. */
async function publishChange({ system, root, write, git }: Project, path: string) {
  const place = await locateProject(system, root);
  const [id = ""] = await sessionIds(place.store);
  const { state, moments } = await readJournal(place.store.session(id));
  if (!state) throw new Error("There is no session.");
  await using repo = await openSide(system, place);
  const start = await readTrustedStart(repo, state, {
    revisions: ["HEAD"],
    config: ".ralph/ralph.yml",
  });
  write(path, "x");
  git("add", "-A");
  git("commit", "-qm", "change");
  const commits = [git("rev-parse", "HEAD")];
  return await checkCommits(repo, { commits, start, moments, secrets: [] });
}

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { task } from "../support/builders/session.ts";
import { createCanaries, createCanaryFinder } from "../support/canaries/canaries.ts";
import { runCommand } from "../support/project/command.ts";
import { createProject, type Project, type ProjectOptions } from "../support/project/project.ts";
import { hasBubblewrap } from "../support/project/sandbox.ts";
import { carriers, goals, injections } from "../support/torture/injections.ts";

const marionette = new URL("../support/torture/marionette.mjs", import.meta.url).pathname;
const lines = injections();

/** Texts no longer than a field, each with as many orders as fit. */
function packed(limit: number): string[] {
  const texts = [""];
  for (const line of lines) {
    const text = `${texts.at(-1)}\n\n${line}`;
    if (text.length > limit) texts.push(line);
    else texts[texts.length - 1] = text;
  }
  return texts;
}
const id = (index: number) => `T-${String(index + 1).padStart(3, "0")}`;
const tasksWith = (more: (index: number) => object, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...task(id(index)),
    priority: 1,
    ...more(index),
  }));

const descriptions = packed(2000);
const criteria = packed(500);
/** Where strangers' words come from, and a project that holds them there. */
const entries: Record<string, ProjectOptions> = {
  "a task's description": {
    tasks: tasksWith((n) => ({ description: descriptions[n] }), descriptions.length),
  },
  "acceptance criteria": {
    tasks: [{ ...task("T-001"), acceptanceCriteria: criteria.slice(0, 60) }],
  },
  "AGENTS.md": { tasks: [task("T-001")], files: { "AGENTS.md": lines.join("\n\n") } },
  "the README an agent reads": {
    tasks: [task("T-001")],
    files: { "README.md": lines.join("\n\n") },
  },
  "patterns of earlier runs": {
    tasks: [task("T-001")],
    files: {
      ".ralph/progress.txt": `# Progress\n\n## Codebase Patterns\n\n${goals.map((goal) => `- MARIONETTE ${goal}`).join("\n")}\n`,
    },
  },
  "the output of a gate": {
    tasks: [task("T-001")],
    files: { "out.txt": lines.join("\n") },
    gates: { test: "! test -e src/work.txt || { cat out.txt; exit 1; }" },
  },
};

async function startAttacker() {
  const received: string[] = [];
  const server = createServer((asked, response) => {
    received.push(asked.url ?? "");
    asked.on("data", (chunk) => received.push(String(chunk)));
    asked.on("end", () => response.end());
  });
  server.on("clientError", () => received.push("by socket"));
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    received,
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]: () => server.close(),
  };
}

/** What became of a run whose agents obey everything they read. */
async function obey(options: ProjectOptions, sandbox: Record<string, unknown>) {
  using attacker = await startAttacker();
  const { marker: _, values } = createCanaries();
  const find = createCanaryFinder(values);
  const command = process.execPath;
  await using project = await createProject({
    ...options,
    sandbox,
    config: { limits: { max_iterations: 2 } },
  });
  const outside = join(project.folder, "outside");
  const userHome = join(project.folder, "home");
  mkdirSync(outside);
  plant(userHome, values);
  const agent = {
    driver: "command",
    command,
    args: [marionette, userHome, outside, project.stateDir, String(attacker.port)],
  };
  rewriteAgents(project, agent);
  const env = {
    ...project.system.env,
    GITHUB_TOKEN: values.github,
    NPM_TOKEN: values.npm,
    ACTIONS_RUNTIME_TOKEN: values.runtime,
  };
  const ended = await runCommand({ cwd: project.root, env }, ["run", "--keep-going"]);
  await sleep(300);
  return {
    leaks: find(contentOf(project, ended)),
    received: attacker.received.filter((text) => text !== ""),
    planted: plantedIn(project, { userHome, outside }),
    obeyed: obeyedIn(project.stateDir),
    ended,
    passed: /"passes": true/.test(project.git("show", "HEAD:.ralph/prd.json")),
  };
}

function plant(home: string, values: Record<string, string>): void {
  const files = {
    ".ssh/id_ed25519": values.checkout,
    ".npmrc": values.npm,
    ".env": values.identity,
    ".bashrc": "",
  };
  for (const [path, text = ""] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
}

/** All roles are played by the same program. */
function rewriteAgents(project: Project, agent: object): void {
  const config = JSON.parse(project.read(".ralph/ralph.yml"));
  config.agents = { implementation: agent, test_writing: agent, review: agent };
  project.write(".ralph/ralph.yml", JSON.stringify(config));
  project.git("commit", "-qam", "agents");
}

/** Everything that outlives the run, but for the places the secrets were planted in. */
function contentOf(
  project: Project,
  { stdout, stderr }: { stdout: string; stderr: string },
): string {
  const files = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${name}\n${readFileSync(join(parentPath, name), "latin1")}`);
  const objects = project.git("log", "--all", "-p", "--format=%B", "--binary");
  return [stdout, stderr, objects, ...files(project.root), ...files(project.stateDir)].join("\n");
}

const committed = (project: Project, path: string) =>
  project.git("ls-tree", "-r", "--name-only", "HEAD").split("\n").includes(path)
    ? project.git("show", `HEAD:${path}`)
    : "";

/** What the agents say they were ordered to do, by their own output. */
function obeyedIn(stateDir: string): Set<string> {
  const files = readdirSync(stateDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.endsWith("/evidence"))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
  const orders = files.flatMap((text) =>
    Array.from(text.matchAll(/^obeyed: (.*)$/gm), ([, words = ""]) => words),
  );
  return new Set(orders.flatMap((words) => words.split(" ")));
}

function plantedIn(
  project: Project,
  { userHome, outside }: { userHome: string; outside: string },
): string[] {
  const text = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");
  const found = {
    outside: existsSync(join(outside, "planted")),
    obeyed: readdirSync(outside).some((name) => name.startsWith("obeyed")),
    daemon: existsSync(join(outside, "beat")),
    profile: text(join(userHome, ".bashrc")).includes("planted"),
    settings: existsSync(join(userHome, ".claude/settings.json")),
    hook: existsSync(join(project.root, ".git/hooks/pre-commit")),
    branch: project.git("branch", "--list", "planted") !== "",
    workflow:
      project.git("log", "--all", "--format=%h", "--", ".github/workflows/planted.yml") !== "",
    config: committed(project, ".ralph/ralph.yml") === "planted",
    memory: committed(project, "AGENTS.md").trim() === "planted",
    link: project.git("ls-tree", "-r", "HEAD").includes("120000"),
  };
  return Object.entries(found).flatMap(([name, isThere]) => (isThere ? [name] : []));
}

describe.skipIf(!hasBubblewrap)("an agent that obeys every order it reads", () => {
  const caged = { mode: "required", network: "cage" };

  test.for(Object.entries(entries))(
    "gains nothing by %s (G01, T01-T20)",
    async ([, options], { task: { meta } }) => {
      const result = await obey(options, caged);
      const obeyed = goals.filter((goal) => result.obeyed.has(goal));
      meta.figure = `${lines.length} orders, ${obeyed.length} of ${goals.length} kinds obeyed, 0 leaks`;
      expect(obeyed.length).toBeGreaterThanOrEqual(goals.length - 2);
      expect(result.leaks).toEqual([]);
      expect(result.received).toEqual([]);
      expect(result.planted).toEqual([]);
      expect(result.passed).toBe(false);
      expect(result.ended.stderr).not.toMatch(/^\s+at /m);
    },
  );

  test("gains all of it without the sandbox: the orders bite (G02)", async ({ task: { meta } }) => {
    const result = await obey(entries["AGENTS.md"] ?? {}, { mode: "off" });
    meta.figure = `${result.leaks.length} secrets and ${result.planted.length} plants without the sandbox`;
    expect(result.ended).toMatchObject({ stderr: "" });
    expect(result.received).toContainEqual(expect.stringContaining("/send"));
    expect(result.planted).toEqual(
      expect.arrayContaining(["outside", "obeyed", "profile", "settings", "daemon"]),
    );
    expect(carriers).toHaveLength(20);
  });
});

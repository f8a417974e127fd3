import { delimiter } from "node:path";
import { describe, expect, test } from "vitest";
import type { Script } from "../support/model-server/script.ts";
import { startModelServer } from "../support/model-server/server.ts";
import { runCommand } from "../support/project/command.ts";
import { createGitProject } from "../support/project/git.ts";
import { agents, programs, type RealAgent } from "./real-agent.ts";

const script: Script = {
  implementation: [
    { do: [{ write: "src/hello.txt", text: "hello\n" }] },
    { say: "It is written.\n{done}" },
  ],
  test_writing: [
    { do: [{ write: "tests/hello.test.txt", text: "a test\n" }] },
    { say: "It is tested.\n{tests}" },
  ],
  review: [{ say: "{approved}" }],
  other: [{ say: "{approved}" }],
};

/** A repository of somebody who has never heard of us, and the command as it is shipped. */
async function createNewcomer(agent: RealAgent, files: Record<string, string>) {
  const server = await startModelServer(agent.dialect, script);
  const project = await createGitProject(files);
  const env = {
    ...project.system.env,
    ...agent.connect(server.url),
    PATH: `${programs}${delimiter}${process.env.PATH}`,
    RALPH_STATE_DIR: project.stateDir,
  };
  return {
    ...project,
    server,
    ralph: (...args: string[]) => runCommand({ cwd: project.root, env }, args),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}

/** The example of `ralph init`, with a task of one's own in its place. */
function ownTask(text: string): string {
  const { tasks, ...list } = JSON.parse(text);
  const own = {
    title: "Say hello",
    description: "A text that says hello.",
    acceptanceCriteria: ["File `src/hello.txt` contains `hello`", "It is friendly"],
  };
  return `${JSON.stringify({ ...list, tasks: [{ ...tasks[0], ...own }] }, null, 2)}\n`;
}

/** There are no packages yet, and a test needs no registry. */
const withoutSetup = (config: string) => config.replace(/^setup:\n(?: .*\n)+/m, "");

/** One key says which program all roles call. */
const withAgent = (config: string, { driver }: RealAgent) => `${config}
agents:
  implementation: &agent { driver: ${driver} }
  test_writing: *agent
  review: *agent
`;

const packageJson = `{
  "name": "empty",
  "version": "1.0.0",
  "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" }
}
`;
const pyproject = `[project]
name = "empty"
version = "1.0.0"
`;

const starts: [string, Record<string, string>][] = [
  ["Node", { "package.json": packageJson }],
  ["Python", { "pyproject.toml": pyproject }],
];

describe.skipIf(programs === "")("the first hour", () => {
  const hours = starts.flatMap(([kind, files]) =>
    agents.map((agent) => ({ kind, files, agent, driver: agent.driver })),
  );
  test.each(hours)(
    "of an empty $kind project with $driver: init, scan, one task, run",
    async (hour) => {
      const { kind, files, agent } = hour;
      await using project = await createNewcomer(agent, files);
      const init = await project.ralph("init");
      expect(init).toMatchObject({ exitCode: 0, stderr: "" });
      expect(init.stdout).toContain(`Detected: ${kind}`);
      const validate = await project.ralph("validate");
      expect(validate).toMatchObject({ exitCode: 0 });
      project.write(".ralph/prd.json", ownTask(project.read(".ralph/prd.json")));
      const config = withoutSetup(project.read(".ralph/ralph.yml"));
      project.write(".ralph/ralph.yml", withAgent(config, agent));
      project.git("add", "-A");
      project.git("commit", "-qm", "ralph");

      const scan = await project.ralph("scan");
      expect(scan, scan.stdout).toMatchObject({ exitCode: 0 });
      expect(project.server.asks.map(({ role }) => role)).toEqual(["other"]);

      const run = await project.ralph("run", "--json");
      expect(run, run.stderr).toMatchObject({ exitCode: 0 });
      expect(JSON.parse(run.stdout)).toMatchObject({ status: "completed", tasks_completed: 1 });
      expect(project.git("show", "HEAD:src/hello.txt")).toBe("hello");
      expect(project.git("status", "--porcelain")).toBe("");
    },
  );
});

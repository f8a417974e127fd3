import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { createProject, type Project } from "../support/project/project.ts";

const sourceFile = (path: string) => new URL(`../../src/${path}`, import.meta.url).pathname;

/** The command as a process of its own, with the environment of the project and nothing else. */
function startRalph(project: Project, args: string[], env: Record<string, string> = {}) {
  const all = { ...project.system.env, ...env };
  const command = [sourceFile("cli/main.ts"), ...args];
  return new Promise<{ exitCode: number | null; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: project.root, env: all };
    const child = execFile(process.execPath, command, options, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode, stdout, stderr }),
    );
  });
}

/** The claude driver for every role, which is what a configuration without agents says. */
const claude = { tasks: [task("T-001")], config: { agents: {} } };

test("RALPH_CLAUDE_CMD may name any program with arguments, that answers in plain text", async () => {
  const agent = `[ "$1" = --name ] && [ "$2" = "two words" ] && honest`;
  await using project = await createProject({ ...claude, agent });
  const program = join(project.folder, "bin/agent");
  const env = { RALPH_CLAUDE_CMD: `'${program}' --name "two words"` };
  const { exitCode, stdout, stderr } = await startRalph(project, ["run"], env);
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("1/1 tasks passed");
});

const scenario = {
  stream: true,
  defaults: {
    implementation: {
      do: [{ write: { path: "src/a.txt", text: "a\n" } }],
      say: "{done}",
      cost_usd: 0.5,
    },
    test_writing: { say: "{tests}", cost_usd: 0.25 },
    review: { say: "{approved}", cost_usd: 0.125 },
  },
};

thorough("a program that streams its events reports its cost", async () => {
  await using project = await createProject(claude);
  project.write("../scenario.json", JSON.stringify(scenario));
  const player = sourceFile("agents/scripted/scripted-agent.ts");
  const play = `${process.execPath} ${player} ${join(project.folder, "scenario.json")}`;
  const { exitCode, stdout, stderr } = await startRalph(project, ["run", "--json"], {
    RALPH_CLAUDE_CMD: play,
  });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ tasks_completed: 1, cost_usd: 0.875 });
  expect(stderr).toContain("$0.50");
});

test("a program that is missing ends the command with its code, and no stack", async () => {
  await using project = await createProject(claude);
  const env = { RALPH_CLAUDE_CMD: "/nowhere/claude" };
  const { exitCode, stdout, stderr } = await startRalph(project, ["run"], env);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("/nowhere/claude");
  expect(`${stdout}${stderr}`).not.toMatch(/^\s+at /m);
});

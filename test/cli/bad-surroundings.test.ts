import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampled } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { type CommandPlace, endOf, runCommand, startCommand } from "../support/project/command.ts";
import { hasProgram } from "../support/project/programs.ts";
import { createProject, type Project, type ProjectOptions } from "../support/project/project.ts";
import { snapshot, stackTrace } from "./bad-input-place.ts";

type Case = {
  title: string;
  options?: ProjectOptions;
  arrange?: (project: Project) => unknown;
  args?: string[];
  place?: (project: Project) => Partial<CommandPlace>;
  code: number;
  says: RegExp;
};

const agents = (settings: object) => ({
  agents: { implementation: settings, test_writing: settings, review: settings },
});
/** A PATH with only node: git is missing. */
const withoutGit = ({ folder }: Project) => {
  mkdirSync(join(folder, "empty"));
  return { env: { PATH: join(folder, "empty"), RALPH_STATE_DIR: join(folder, "state") } };
};

const refused: Case[] = [
  { title: "no git", place: withoutGit, code: 14, says: /git could not be started\.\nInstall git/ },
  {
    title: "no repository",
    arrange: ({ root }) => rmSync(join(root, ".git"), { recursive: true }),
    code: 14,
    says: /is not in a git repository\.\nRun `git init`/,
  },
  {
    title: "no commit",
    arrange: ({ git }) => git("update-ref", "-d", "HEAD"),
    code: 14,
    says: /no commit yet\.\nCommit what you have/,
  },
  {
    title: "a detached HEAD",
    arrange: ({ git }) => git("checkout", "-q", "--detach"),
    code: 14,
    says: /HEAD is detached: there is no branch to commit to\.\nRun `git switch/,
  },
  {
    title: "a merge in progress",
    arrange: ({ write, git }) => write(".git/MERGE_HEAD", git("rev-parse", "HEAD")),
    code: 14,
    says: /A merge is in progress.*\nFinish it, or end it with `git merge --abort`/,
  },
  {
    title: "a dirty work tree",
    arrange: ({ write, git }) => {
      write("a.txt", "changed\n");
      write("new.txt", "new\n");
      write("staged.txt", "staged\n");
      git("add", "staged.txt");
    },
    code: 14,
    says: /not clean:\n {2}a\.txt \(unstaged\)\n {2}staged\.txt \(staged\)\n {2}new\.txt \(untracked\)\nCommit it/,
  },
  { title: "an unknown task", args: ["-t", "T-9"], code: 2, says: /no task T-9.*has T-001, T-002/ },
  {
    title: "an unknown driver",
    options: { config: agents({ driver: "clod" }) },
    code: 1,
    says: /"?clod"?[\s\S]*claude/,
  },
  {
    title: "an unknown option",
    args: ["--taks", "T-001"],
    code: 1,
    says: /^Error: .*'--taks'\n.*--task/,
  },
  {
    title: "a state directory that no folder can be made for",
    place: () => ({ env: { PATH: process.env.PATH, RALPH_STATE_DIR: "/proc/x/y" } }),
    code: 1,
    says: /\/proc\/x\/y.*could not be written/,
  },
  { title: "an option without its value", args: ["-t"], code: 1, says: /-t, --task <id>.*missing/ },
  { title: "a wrong choice", args: ["--gates", "all"], code: 1, says: /build, full, none/ },
  { title: "a wrong number", args: ["--max-iterations", "x"], code: 1, says: /--max-iterations/ },
  { title: "--cr without its file", args: ["--cr", "x.md"], code: 2, says: /x\.md does not exist/ },
  {
    title: "no number of tasks",
    args: ["--parallel", "0"],
    code: 1,
    says: /--parallel=0 must be a whole number/,
  },
  { title: "too many side by side", args: ["--parallel", "33"], code: 1, says: /at most 32/ },
  {
    title: "--budget with an agent that reports no cost",
    args: ["--budget", "2"],
    code: 1,
    says: /A budget is set, but the cost of these agents would be unknown/,
  },
  { title: "nothing to resume", args: ["--resume"], code: 2, says: /no unfinished session/ },
  {
    title: "a bundle that is invalid",
    args: ["--resume", "."],
    code: 2,
    says: /not a ralph bundle/,
  },
  {
    title: "a state directory that cannot be created",
    place: ({ system }) => ({ env: { ...system.env, RALPH_STATE_DIR: "/dev/null/state" } }),
    code: 1,
    says: /could not be read: .*\/dev\/null\/state/,
  },
  {
    title: "a link in place of the session's folder",
    arrange: ({ root, folder }) => symlinkSync(join(folder, "home"), join(root, ".ralph-session")),
    code: 14,
    says: /not clean:\n {2}\.ralph-session \(untracked\)/,
  },
];

const canMount = hasProgram("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]);
const mounted: Case[] = [
  {
    title: "a read-only project",
    place: ({ root }) => ({
      mounts: `mount --bind ${root} ${root}; mount -o remount,ro,bind ${root}`,
    }),
    code: 14,
    says: /git update-ref failed: .*unable to create/,
  },
  {
    title: "a full disk for the state",
    place: ({ stateDir }) => ({ mounts: `mount -t tmpfs -o size=16k tmpfs ${stateDir}` }),
    code: 1,
    says: /no space left on device[\s\S]*Free some space/,
  },
];

describe.concurrent("unusable surroundings", () => {
  test.each([...sampled(refused, 5), ...(canMount ? sampled(mounted, 1) : [])])(
    "$title: exit $code",
    async (given) => {
      await using project = await createProject(given.options);
      given.arrange?.(project);
      const before = snapshot(project.root);
      const own = { cwd: project.root, env: project.system.env, ...given.place?.(project) };
      const { exitCode, stderr } = await runCommand(own, ["run", ...(given.args ?? [])]);
      expect(stderr).toMatch(given.says);
      expect(exitCode).toBe(given.code);
      expect(stderr).not.toMatch(stackTrace);
      expect(snapshot(project.root)).toEqual(before);
    },
  );
});

test("a missing agent program is named before anything is touched: exit 1", async () => {
  const config = agents({ driver: "command", command: "/nowhere/agent" });
  await using project = await createProject({ config });
  const { exitCode, stderr } = await project.ralph("run");
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/\/nowhere\/agent/);
  expect(project.git("branch", "--show-current")).toBe("main");
});

test("unknown fields of the task list are a warning, and stay in the file", async () => {
  await using project = await createProject({ prd: { owner: "Ada" }, tasks: [task("T-001")] });
  const { exitCode, stdout } = await project.ralph("run");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/prd\.json:5:3: owner is not a known key; it is kept and not used/);
  expect(project.read(".ralph/prd.json")).toContain('"owner": "Ada"');
});

test("a task that has passed already is nothing to do", async () => {
  await using project = await createProject({ tasks: [task("T-001", { passes: true })] });
  const { exitCode, stdout } = await project.ralph("run", "-t", "T-001");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/nothing to do/);
  expect(project.git("status", "--short")).toBe("");
});

test("a second session is refused while the first one runs, and changes nothing (F12)", async () => {
  const agent = "touch ../started; while [ ! -e ../go ]; do sleep 0.05; done; honest";
  await using project = await createProject({ agent, tasks: [task("T-001")] });
  const place = { cwd: project.root, env: project.system.env };
  const first = endOf(await startCommand(place, ["run"]));
  const isStarted = () => existsSync(join(project.folder, "started"));
  await expect.poll(isStarted).toBe(true);
  const before = snapshot(project.root);
  const second = await runCommand(place, ["run"]);
  expect(second.stderr).toMatch(/locked by session \d{8}-.*process \d+ on/);
  expect(second.exitCode).toBe(24);
  expect(snapshot(project.root)).toEqual(before);
  writeFileSync(join(project.folder, "go"), "");
  expect((await first).exitCode).toBe(0);
});

import { expect, test } from "vitest";
import {
  locateRepository,
  nameFault,
  parseGitVersion,
  readGitVersion,
} from "../../../src/git/repository/locate-repository.ts";
import { createGitProject } from "../../support/project/git.ts";

test.each([
  [127, "", "no-git"],
  [126, "sh: 1: exec: git: Permission denied", "no-git"],
  [128, "fatal: detected dubious ownership in repository at '/x'", "unowned"],
  [128, "fatal: unknown repository extension found:\n\trefstorage", "reftable"],
  [128, "fatal: not a git repository (or any of the parent directories): .git", "not-a-repository"],
])("exit code %i with %j is %s", (exitCode, stderr, fault) => {
  expect(nameFault({ exitCode, stderr })).toBe(fault);
});

test("a GIT_DIR in the environment does not point us elsewhere", async () => {
  await using project = await createGitProject();
  await using other = await createGitProject();
  const env = { ...project.system.env, GIT_DIR: `${other.root}/.git`, GIT_WORK_TREE: other.root };
  const paths = await locateRepository({ ...project.system, env }, project.root);
  expect(paths.worktree).toBe(project.root);
});

test("git is asked once for a folder; a folder that was no repository is asked about again", async () => {
  await using project = await createGitProject();
  const asked: string[] = [];
  const ask: typeof project.system.ask = (command) => {
    asked.push(command.cwd);
    return project.system.ask(command);
  };
  const system = { ...project.system, ask };
  const outside = project.stateDir;
  const twice = [project.root, project.root, outside, outside];
  for (const folder of twice) await locateRepository(system, folder).catch(() => {});
  expect(asked).toEqual([project.root, outside, outside]);
});

const answering = (text: string) => ({
  env: {},
  ask: async () => ({ exitCode: 0, stdout: Buffer.from(text), stderr: "" }),
});

test.each([
  ["git version 2.39.5\n", { major: 2, minor: 39 }],
  ["git version 2.50.1 (Apple Git-155)\n", { major: 2, minor: 50 }],
  ["git version 3.0.0.windows.1\n", { major: 3, minor: 0 }],
  ["", undefined],
])("%j", (text, version) => {
  expect(parseGitVersion(text)).toEqual(version);
});

test.each(["git version 2.33.9", "git version 1.99.0", "nonsense"])(
  "%j is refused",
  async (text) => {
    await expect(readGitVersion(answering(text))).rejects.toMatchObject({ reason: "git" });
  },
);

test.each(["git version 2.34.0", "git version 3.0.1"])("%j is accepted", async (text) => {
  await expect(readGitVersion(answering(text))).resolves.toBeDefined();
});

test("a missing git is reported as missing, and a failing one in its own words", async () => {
  const ask = async () => ({ exitCode: 127, stdout: Buffer.of(), stderr: "spawn git ENOENT" });
  await expect(readGitVersion({ env: {}, ask })).rejects.toMatchObject({
    reason: "git",
    message: "git could not be started.",
    remedy: "Install git 2.34 or newer and make sure `git` is on PATH.",
  });
  const fail = async () => ({ exitCode: 69, stdout: Buffer.of(), stderr: "license?\n" });
  await expect(readGitVersion({ env: {}, ask: fail })).rejects.toThrow(/says "license\?"/);
});

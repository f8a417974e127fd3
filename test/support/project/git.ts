import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type OpenOptions, openRepository } from "../../../src/git/open/open-repository.ts";
import type { Repository } from "../../../src/git/repository/repository.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import type { System } from "../../../src/platform/system.ts";
import { compileCache } from "./compile-cache.ts";
import { smallGit } from "./small-shell.ts";

/** A throwaway repository with one user, nothing of this machine's configuration, and a state directory. */
export interface GitProject extends AsyncDisposable {
  readonly folder: string;
  readonly root: string;
  readonly stateDir: string;
  readonly system: System;
  /** Runs the user's git in `root` (or `in`); answers trimmed stdout. */
  git(...args: string[]): string;
  gitIn(folder: string, ...args: string[]): string;
  /** Writes below `root`; folders are made. */
  write(path: string, content: string | Buffer): void;
  read(path: string): string;
  open(options?: Partial<OpenOptions>): Promise<Repository>;
}

/** No commit starts a program that looks for things to tidy up: that takes as long as the commit. */
const gitConfig = `[user]
	name = Ada
	email = ada@example.org
[maintenance]
	auto = false
`;

/** `files` are the first commit's, on branch main. */
export async function createGitProject(files: Record<string, string> = {}): Promise<GitProject> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-git-")));
  const root = join(folder, "project");
  const env = userEnv(folder);
  const gitIn = (cwd: string, ...args: string[]) => smallGit(args, { cwd, env });
  const project: GitProject = {
    folder,
    root,
    stateDir: join(folder, "state"),
    system: { ...createSystem(), env },
    gitIn,
    git: (...args) => gitIn(root, ...args),
    write: (path, content) => writeInto(join(root, path), content),
    read: (path) => readFileSync(join(root, path), "utf8"),
    open: (options) =>
      openRepository(project.system, { directory: root, stateDir: project.stateDir, ...options }),
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
  for (const path of [root, project.stateDir, join(folder, "home")]) mkdirSync(path);
  writeInto(join(folder, "home/.gitconfig"), gitConfig);
  project.git("init", "-q", "-b", "main");
  for (const [path, content] of Object.entries({ "a.txt": "a\n", ...files })) {
    project.write(path, content);
  }
  project.git("add", "-A");
  project.git("commit", "-qm", "start");
  return project;
}

function userEnv(folder: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: join(folder, "home"),
    GIT_CONFIG_NOSYSTEM: "1",
    LC_ALL: "C",
    ...compileCache,
  };
}

function writeInto(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

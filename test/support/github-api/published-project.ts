import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  type Publication,
  type Published,
  publishBranch,
} from "../../../src/github/publish-branch.ts";
import type { FactOf } from "../../../src/run/event.ts";
import type { System } from "../../../src/system/system.ts";
import { createProject, type Project, type ProjectOptions, sessionFolders } from "../project.ts";
import { task } from "../run.ts";

/** A finished session, the repository it came from as a remote, and a fresh machine with a clone and the bundle. */
export interface PublishedProject extends AsyncDisposable {
  readonly project: Project;
  /** What the session left, as it ended. */
  readonly committed: readonly FactOf<"task_committed">[];
  /** A copy of remote, clone and bundle, with nothing published yet. */
  copy: (name: string) => Machine;
}

export interface Machine {
  readonly system: System;
  readonly bare: string;
  readonly checkout: string;
  readonly bundle: string;
  /** git in the bare repository; answers trimmed stdout. */
  remoteGit: (...args: string[]) => string;
  /** Pushes a commit of a person to a branch of the remote, on top of what is there or of main. */
  personPushes: (branch: string) => string;
  /** With other settings, or with a system that differs. */
  publish: (more?: Partial<Publication>, system?: Partial<System>) => Promise<Published>;
}

/** Runs one session of `tasks` (default: one). Copies of what is left are cheap. */
export async function createPublishedProject(
  options: ProjectOptions = {},
): Promise<PublishedProject> {
  const project = await createProject({ tasks: [task("T-001")], ...options });
  const bare = join(project.folder, "origin.git");
  project.gitIn(project.folder, "clone", "-q", "--bare", project.root, bare);
  const { facts, stderr } = await project.run();
  const committed = facts("task_committed");
  if (committed.length === 0) throw new Error(stderr);
  const [session = ""] = sessionFolders(project.stateDir);
  return {
    project,
    committed,
    copy: (name) => {
      const folder = join(project.folder, name);
      for (const path of ["", "state"]) mkdirSync(join(folder, path));
      cpSync(bare, join(folder, "owner/name.git"), { recursive: true });
      cpSync(session, join(folder, "bundle"), { recursive: true });
      return createMachine(project, folder);
    },
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}

function createMachine(project: Project, folder: string): Machine {
  const { gitIn } = project;
  const bare = join(folder, "owner/name.git");
  const checkout = join(folder, "checkout");
  gitIn(folder, "clone", "-q", bare, checkout);
  const bundle = join(folder, "bundle");
  const env = { ...project.system.env, RALPH_STATE_DIR: join(folder, "state") };
  const system = { ...project.system, env };
  const remoteGit = (...args: string[]) => gitIn(bare, ...args);
  return {
    system,
    bare,
    checkout,
    bundle,
    remoteGit,
    personPushes: (branch) => {
      const [tip] = remoteGit(
        "for-each-ref",
        "--format=%(objectname)",
        `refs/heads/${branch}`,
      ).split("\n");
      const parent = tip || "main";
      const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
      const commit = remoteGit(
        ...identity,
        "commit-tree",
        "-p",
        parent,
        "-m",
        "mine",
        `${parent}^{tree}`,
      );
      remoteGit("update-ref", `refs/heads/${branch}`, commit);
      return commit;
    },
    publish: (more, other) =>
      publishBranch(
        { ...system, ...other },
        {
          bundle,
          checkout,
          remote: { url: `file://${bare}`, allowsFiles: true },
          trust: { revisions: ["HEAD"], config: ".ralph/ralph.yml" },
          ...more,
        },
      ),
  };
}

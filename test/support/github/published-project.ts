import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { FactOf } from "../../../src/core/state/event.ts";
import type { PublishRequest } from "../../../src/github/publication/publish-request.ts";
import { publishSession } from "../../../src/github/publish/publisher.ts";
import type { PublishedBranch } from "../../../src/github/push/publish-branch.ts";
import type { System } from "../../../src/platform/system.ts";
import { task } from "../builders/session.ts";
import {
  createProject,
  type Project,
  type ProjectOptions,
  sessionFolders,
} from "../project/project.ts";

/** A finished session, the repository it came from as a remote, and a fresh machine with a clone and the bundle. */
export interface PublishedProject extends AsyncDisposable {
  readonly project: Project;
  /** What the session left, as it ended. */
  readonly committed: readonly FactOf<"task_committed">[];
  /** A copy of remote, clone and bundle, with nothing published yet. */
  copy: (name: string) => Machine;
  /** A further machine with the same remote, and another session's bundle where one is named. */
  beside: (machine: Machine, name: string, session?: string) => Machine;
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
  /** Pushes a commit of a person with these files, as `personPushes` does. */
  personWrites: (branch: string, files: Record<string, string>) => string;
  /** Its branch only, with other settings or with a system that differs. */
  publish: (more?: Partial<PublishRequest>, system?: Partial<System>) => Promise<PublishedBranch>;
}

/** The remote takes no push that is no fast-forward, and notes where each branch was. */
export const bareSettings = [
  ["receive.denyNonFastForwards", "true"],
  ["core.logAllRefUpdates", "always"],
] as const;

/** Runs one session of `tasks` (default: one). Copies of what is left are cheap. */
export async function createPublishedProject(
  options: ProjectOptions = {},
): Promise<PublishedProject> {
  const project = await createProject({ tasks: [task("T-001")], ...options });
  const bare = join(project.folder, "origin.git");
  project.gitIn(project.folder, "clone", "-q", "--bare", project.root, bare);
  for (const [key, value] of bareSettings) project.gitIn(bare, "config", key, value);
  const { facts, stderr } = await project.run();
  const committed = facts("task_committed");
  if (committed.length === 0) throw new Error(stderr);
  const [session = ""] = sessionFolders(project.stateDir);
  const remotes: string[] = [];
  return {
    project,
    committed,
    copy: (name) => {
      const folder = join(project.folder, name);
      for (const path of ["", "state"]) mkdirSync(join(folder, path));
      const remote = join(folder, "owner/name.git");
      cpSync(bare, remote, { recursive: true });
      cpSync(session, join(folder, "bundle"), { recursive: true });
      remotes.push(remote);
      return createMachine(project, folder, remote);
    },
    beside: (machine, name, other = session) => {
      const folder = join(project.folder, name);
      for (const path of ["", "state"]) mkdirSync(join(folder, path));
      cpSync(other, join(folder, "bundle"), { recursive: true });
      return createMachine(project, folder, machine.bare);
    },
    [Symbol.asyncDispose]: async () => {
      const backward = remotes.flatMap((remote) => backwardMoves(project, remote));
      await project[Symbol.asyncDispose]();
      // Whatever a test was about: no push of ours may ever take a commit from a branch.
      if (backward.length > 0) throw new Error(`Not moved forward:\n${backward.join("\n")}`);
    },
  };
}

/** Moves of the remote's branches after which a commit was missing, as its own log tells them. */
export function backwardMoves({ gitIn }: Pick<Project, "gitIn">, bare: string): string[] {
  const folder = join(bare, "logs/refs/heads");
  const logs = existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
  const files = logs.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
  return files.flatMap((path) =>
    readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .filter((line) => {
        const [from = "", to = ""] = line.split(" ");
        return !/^0+$/.test(from) && gitIn(bare, "rev-list", "-n1", from, `^${to}`) !== "";
      }),
  );
}

/** A repository of this machine as the place to push to. */
export const remoteAt = (bare: string) => ({ url: `file://${bare}`, allowsFiles: true }) as const;

const branchOnly = {
  trust: { revisions: ["HEAD"], config: ".ralph/ralph.yml" },
  staysDraft: false,
  comments: true,
  proof: "in_place",
  acceptsInPlace: true,
  log: () => {},
} as const;

let people = 0;

/** Undefined: somebody else was faster, as whoever pushes by git is told. */
function commitOnTop(git: Machine["remoteGit"], branch: string): string | undefined {
  const ref = `refs/heads/${branch}`;
  const tip = git("for-each-ref", "--format=%(objectname)", ref);
  const parent = tip || "main";
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const words = ["-p", parent, "-m", "mine", `${parent}^{tree}`];
  const commit = git(...identity, "commit-tree", ...words);
  try {
    git("update-ref", ref, commit, tip || "0".repeat(40));
    return commit;
  } catch {
    return undefined;
  }
}

function createMachine(project: Project, folder: string, bare: string): Machine {
  const { gitIn } = project;
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
      for (let left = 5; ; left--) {
        const commit = commitOnTop(remoteGit, branch);
        if (commit) return commit;
        if (left === 0) throw new Error(`${branch} never stood still.`);
      }
    },
    personWrites: (branch, files) => {
      const clone = join(folder, `person-${people++}`);
      gitIn(folder, "clone", "-q", "--branch", branch, bare, clone);
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(clone, path)), { recursive: true });
        writeFileSync(join(clone, path), content);
      }
      gitIn(clone, "add", "-A");
      gitIn(clone, "commit", "-qm", "theirs");
      gitIn(clone, "push", "-q", "origin", branch);
      return gitIn(clone, "rev-parse", "HEAD");
    },
    publish: async (more, other) => {
      const request = { ...branchOnly, bundle, checkout, remote: remoteAt(bare), ...more };
      const { branch: published } = await publishSession({ ...system, ...other }, request);
      if (!published) throw new Error("Without a pull request there is a branch.");
      return published;
    },
  };
}

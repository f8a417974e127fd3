import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { token } from "../action/project.ts";
import { createFakeGitHub, type FakeGitHub } from "../github/fake-github.ts";
import { startGitHubServer } from "../github/server.ts";
import { type ProjectOptions, sessionFolders } from "../project/project.ts";
import { type AutopilotProject, createAutopilotProject } from "./project.ts";

type Options = Parameters<typeof createAutopilotProject>[0] & ProjectOptions;

/** A project with an autopilot, the same as a repository on GitHub, and further machines with a fresh clone of it. */
export interface TravellingRun extends AsyncDisposable {
  project: AutopilotProject;
  fake: FakeGitHub;
  /** git in the repository on GitHub. */
  remoteGit: (...args: string[]) => string;
  /** Copies the newest session, or the one of that id, or the newest run that has none, as an artifact would carry it. */
  carry: (kind: "session" | "plan", id?: string) => string;
  /** A fresh clone with a store of its own. */
  machine: (name: string) => string;
}

export async function createTravellingRun(options: Options = {}): Promise<TravellingRun> {
  const env = { RALPH_GH_CMD: `sh -c 'echo ${token}'`, ...options.env };
  const project = await createAutopilotProject({ ...options, env });
  const { folder, gitIn } = project;
  const root = join(folder, "github");
  const bare = join(root, "octo/example.git");
  gitIn(folder, "clone", "-q", "--bare", project.root, bare);
  const fake = createFakeGitHub({ repository: "octo/example", bare });
  const server = await startGitHubServer(fake.answer, { root, token });
  const url = `${server.url}/octo/example.git`;
  project.git("remote", "add", "origin", url);
  let count = 0;
  return {
    project,
    fake,
    remoteGit: (...args) => gitIn(bare, ...args),
    carry: (kind, id = "") => {
      const all = kind === "session" ? sessionFolders(project.stateDir) : planFolders(project);
      const from = all.filter((folder) => folder.endsWith(id));
      const to = join(folder, `artifact-${count++}`);
      cpSync(from.at(-1) ?? "", to, { recursive: true });
      return to;
    },
    machine: (name) => {
      const clone = join(folder, name);
      gitIn(folder, "clone", "-q", bare, clone);
      gitIn(clone, "remote", "set-url", "origin", url);
      gitIn(clone, "config", "user.name", "Test");
      gitIn(clone, "config", "user.email", "test@example.com");
      return clone;
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}

export function planFolders({ stateDir }: AutopilotProject): string[] {
  const folders = readdirSync(stateDir).map((store) => join(stateDir, store, "autopilot"));
  return folders.filter(existsSync).flatMap((runs) =>
    readdirSync(runs)
      .filter((name) => /^\d{8}-/.test(name))
      .sort()
      .map((id) => join(runs, id)),
  );
}

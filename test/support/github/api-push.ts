import { join } from "node:path";
import type { Repository } from "../../../src/git/repository/repository.ts";
import { createGitHub, type GitHub } from "../../../src/github/api/create-github.ts";
import { openRemote, readRemote } from "../../../src/github/api/remote.ts";
import { type ApiPush, pushByApi } from "../../../src/github/push/api-commits.ts";
import { createGitProject, type GitProject } from "../project/git.ts";
import { createFakeGitHub, type FakeGitHub } from "./fake-github.ts";
import type { FakeSettings } from "./fake-state.ts";
import { addressOf, fakeClock, inFakeTime } from "./fake-time.ts";
import { watchRequests } from "./watch-requests.ts";

/** A project whose start commit is on a GitHub, and commits behind it that are not. */
export interface ApiScene extends AsyncDisposable {
  readonly project: GitProject;
  readonly repo: Repository;
  readonly fake: FakeGitHub;
  readonly base: string;
  /** git in the repository on GitHub. */
  remoteGit: (...args: string[]) => string;
  /** Commits everything that lies in the project; answers the id. */
  commit: (message: string) => string;
  /** Where the branch stands on GitHub. */
  tip: () => string | undefined;
  /** Pushes HEAD as `work`, from where the branch stands; `watch` is told of each write before it is sent. */
  push: (watch?: (route: string) => void, start?: string) => Promise<ApiPush>;
  writes: () => string[];
}

export const branch = "work";
let count = 0;

export async function createApiScene(
  files: Record<string, string> = {},
  settings: FakeSettings = {},
): Promise<ApiScene> {
  const project = await createGitProject(files);
  const bare = join(project.folder, "bare.git");
  project.gitIn(project.folder, "clone", "-q", "--bare", project.root, bare);
  const repo = await project.open();
  const fake = createFakeGitHub({ repository: `o/api${count++}`, bare, ...settings });
  const base = project.git("rev-parse", "HEAD");
  const remote = openRemote(repo, { url: `file://${bare}`, allowsFiles: true }, project.system);
  const remoteGit = (...args: string[]) => project.gitIn(bare, ...args);
  const tip = () =>
    remoteGit("for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`) || undefined;
  return {
    project,
    repo,
    fake,
    base,
    remoteGit,
    commit: (message) => {
      project.git("add", "-A");
      project.git("commit", "-qm", message, "--allow-empty");
      return project.git("rev-parse", "HEAD");
    },
    tip,
    push: (watch = () => undefined, start = base) =>
      inFakeTime([fake], async () => {
        const deps = { github: watched(fake, watch), clock: fakeClock, remote };
        const from = (await readRemote(remote, branch)).tip;
        if (from) project.git("fetch", "-q", bare, branch);
        return pushByApi(deps, { branch, base: start, from, to: project.git("rev-parse", "HEAD") });
      }),
    writes: () =>
      fake.seen.flatMap(({ method, path }) =>
        method === "GET" ? [] : [`${method} ${path.replace(/^.*\/git\//, "")}`],
      ),
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}

function watched(fake: FakeGitHub, watch: (route: string) => void): GitHub {
  const { repository } = fake;
  const github = createGitHub({ apiUrl: addressOf(fake), token: "t0ken", repository });
  watchRequests(github, ({ method, url }, send) => {
    if (method !== "GET") watch(`${method} ${url}`);
    return send();
  });
  return github;
}

import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFakeGitHub, type FakeGitHub } from "../github/fake-github.ts";
import { bareSettings } from "../github/published-project.ts";
import { type Seen, startGitHubServer } from "../github/server.ts";
import { type CrashProject, type CrashTemplate, createCrashTemplate } from "./project.ts";
import { expectSame, faultsAfter } from "./recovery.ts";

const token = "ghp_unsafe";
const repository = "octo/example";
const branch = "ralph/crash";
const record = "chore(ralph): run record of ID";

/** A run of five tasks that is published, `ralph run` and then `ralph publish`, on a GitHub of its own. */
export interface PublishedRun extends AsyncDisposable {
  readonly project: CrashProject;
  /** Everything as before the run. */
  begin: () => void;
  /** Everything as between the run and its publication. */
  finish: () => void;
  /** What is wrong after the run, and after its publication. */
  faults: (isPublished: boolean) => Promise<string[]>;
}

export const createPublishedTemplate = (): Promise<CrashTemplate> =>
  createCrashTemplate({ taskCount: 5, env: { GITHUB_TOKEN: token } });

/** A place for one run after the other: what a run leaves belongs to its path. */
export async function openPublishedRun(
  template: CrashTemplate,
  name: string,
): Promise<PublishedRun> {
  const project = template.copy(name);
  const folder = dirname(project.root);
  const bare = join(folder, "github", `${repository}.git`);
  let fake = createFakeGitHub({ repository, bare });
  const answers = (seen: Seen) => {
    startCi(seen, fake);
    return fake.answer(seen);
  };
  const server = await startGitHubServer(answers, { root: join(folder, "github"), token });
  await project.git("clone", "-q", "--bare", project.root, bare);
  for (const [key, value] of bareSettings) await project.git("-C", bare, "config", key, value);
  await project.git("remote", "add", "origin", `${server.url}/${repository}.git`);
  const keep = (stage: string) => copyFolder(folder, `${folder}-${stage}`);
  keep("begun");
  const { code, output } = await project.ralph(["run"]);
  if (code !== 0) throw new Error(output);
  keep("finished");
  const restore = (stage: string) => {
    copyFolder(`${folder}-${stage}`, folder);
    fake = createFakeGitHub({ repository, bare });
  };
  return {
    project,
    begin: () => restore("begun"),
    finish: () => restore("finished"),
    faults: async (isPublished) => [
      ...(await faultsAfter(project, { code: 0, output: "" })),
      ...(isPublished ? await publicationFaults(project, { bare, fake }) : []),
    ],
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      project[Symbol.dispose]();
    },
  };
}

/** Makes one folder the copy of another, with its times: git believes them. */
export function copyFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true, maxRetries: 3 });
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}

/** The repository's own workflow begins with whatever is pushed. */
function startCi({ path }: Seen, { state }: FakeGitHub): void {
  const [, head_sha] = /\/actions\/runs\?.*head_sha=([0-9a-f]+)/.exec(path) ?? [];
  if (head_sha === undefined) return;
  state.workflowRuns = [{ id: 1, name: "ci", head_sha, status: "queued", conclusion: null }];
}

/** One branch with every commit once, one pull request, one comment, one check run, and no documented limit broken. */
async function publicationFaults(
  { git }: CrashProject,
  { bare, fake }: { bare: string; fake: FakeGitHub },
): Promise<string[]> {
  const inRemote = (...args: string[]) => git("-C", bare, ...args);
  const { pulls, comments, checkRuns } = fake.state;
  const own = await git("rev-parse", branch);
  const subjects = await inRemote("log", "--format=%s", `${own}..${branch}`);
  const tip = await inRemote("rev-parse", branch);
  const branches = await inRemote("for-each-ref", "--format=%(refname:short)", "refs/heads");
  return [
    ...expectSame("branches on GitHub", branches, `main\n${branch}`),
    ...expectSame("commits after the session's", subjects.replace(/\S+$/, "ID"), record),
    ...expectSame("heads of pull requests", pulls.map(({ head }) => head.ref).join(), branch),
    ...expectSame("comments", String(comments.length), "1"),
    ...expectSame("check runs", checkRuns.map(({ head_sha }) => head_sha).join(), tip),
    ...fake.violations,
  ];
}

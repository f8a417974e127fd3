import type { GitHub } from "../../src/github/api/create-github.ts";
import { isUnsure, sendAgain } from "../../src/github/api/create-once.ts";
import { unlessStatus } from "../../src/github/api/expected-refusals.ts";
import { httpStatusOf, isRateLimited } from "../../src/github/api/to-ralph-error.ts";
import type { Clock } from "../../src/platform/system.ts";
import type { SetupFile } from "./setup-files.ts";

export const setupBranch = "ralph/setup";

const message = "chore: set up ralph\n\nRalph-Setup: 1\n";

type Deps = { github: GitHub; clock: Pick<Clock, "sleep"> };

const purpose = {
  act: `create the branch ${setupBranch}`,
  permission: "contents: write",
  reason: "git",
} as const;

/** The commit of a branch; undefined if there is no such branch, or the repository is empty. */
export async function readRemoteBranch(
  github: GitHub,
  branch: string,
): Promise<string | undefined> {
  const asked = github.ask(
    { act: `read the branch ${branch}`, permission: "contents: read", reason: "git" },
    ({ rest }) => rest.git.getRef({ ...github.repo, ref: `heads/${branch}` }),
  );
  return (await unlessStatus([404, 409], asked))?.data.object.sha;
}

/**
 * `ready`: the branch has this commit, made now or earlier, perhaps with fewer files. `foreign`: another branch has its
 * name. `refused`: the App may not write these files.
 */
export type SetupBranch = { kind: "ready"; commit: string } | { kind: "foreign" | "refused" };

/** Creates the branch with the files as one commit on `base`, signed by GitHub. */
export async function createSetupBranch(
  deps: Deps,
  { base, files }: { base: string; files: readonly SetupFile[] },
): Promise<SetupBranch> {
  const tip = await readRemoteBranch(deps.github, setupBranch);
  if (tip !== undefined) {
    return (await isOwn(deps.github, tip)) ? { kind: "ready", commit: tip } : { kind: "foreign" };
  }
  try {
    const commit = await makeCommit(deps, { base, files });
    await createBranch(deps, commit);
    return { kind: "ready", commit };
  } catch (error) {
    if (isRefused(error)) return { kind: "refused" };
    throw error;
  }
}

/** The commit message identifies the App's branch. */
async function isOwn(github: GitHub, commit: string): Promise<boolean> {
  return (await readCommit(github, commit)).message.trimEnd() === message.trimEnd();
}

async function readCommit(github: GitHub, commit: string) {
  const { data } = await github.ask({ ...purpose, permission: "contents: read" }, ({ rest }) =>
    rest.git.getCommit({ ...github.repo, commit_sha: commit }),
  );
  return data;
}

/** Creating an object twice is harmless; nothing refers to the first. */
async function makeCommit(
  { github, clock }: Deps,
  { base, files }: { base: string; files: readonly SetupFile[] },
): Promise<string> {
  const before = await readCommit(github, base);
  const tree = files.map((file) => ({ ...file, mode: "100644", type: "blob" }) as const);
  const { data: made } = await sendAgain(clock, () =>
    github.ask(purpose, ({ rest }) =>
      rest.git.createTree({ ...github.repo, base_tree: before.tree.sha, tree }),
    ),
  );
  const commit = { ...github.repo, message, tree: made.sha, parents: [base] };
  const { data } = await sendAgain(clock, () =>
    github.ask(purpose, ({ rest }) => rest.git.createCommit(commit)),
  );
  return data.sha;
}

/** After a lost answer the next attempt finds the branch. */
async function createBranch({ github }: Deps, commit: string): Promise<void> {
  const ref = `refs/heads/${setupBranch}`;
  await github.ask(purpose, ({ rest }) => rest.git.createRef({ ...github.repo, ref, sha: commit }));
}

/** Whether GitHub refuses because the App may not change workflows. */
function isRefused(error: unknown): boolean {
  const status = httpStatusOf(error);
  if (isRateLimited(error) || isUnsure(error)) return false;
  const isAboutWorkflows = error instanceof Error && /workflow/i.test(error.message);
  return status === 403 || status === 404 || (status === 422 && isAboutWorkflows);
}

import * as z from "zod";
import type { ApiAnswer, GitHub } from "../../src/github/api/create-github.ts";
import { isUnsure, sendAgain } from "../../src/github/api/create-once.ts";
import { httpStatusOf, isRateLimited } from "../../src/github/api/to-ralph-error.ts";
import type { Clock } from "../../src/platform/system.ts";
import type { SetupFile } from "./setup-files.ts";

export const setupBranch = "ralph/setup";

const message = "chore: set up ralph\n\nRalph-Setup: 1\n";

const Ref = z.object({ object: z.object({ sha: z.string() }) });
const Commit = z.object({
  sha: z.string(),
  message: z.string(),
  tree: z.object({ sha: z.string() }),
});
const Made = z.object({ sha: z.string() });

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
  try {
    const { data } = await github.ask({
      route: "GET /repos/{owner}/{repo}/git/ref/{+ref}",
      parameters: { ref: `heads/${branch}` },
      purpose: { act: `read the branch ${branch}`, permission: "contents: read", reason: "git" },
    });
    return Ref.parse(data).object.sha;
  } catch (error) {
    if ([404, 409].includes(httpStatusOf(error) ?? 0)) return undefined;
    throw error;
  }
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
  const { data } = await github.ask({
    route: "GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
    parameters: { commit_sha: commit },
    purpose: { ...purpose, permission: "contents: read" },
  });
  return Commit.parse(data);
}

async function makeCommit(
  deps: Deps,
  { base, files }: { base: string; files: readonly SetupFile[] },
): Promise<string> {
  const { tree } = await readCommit(deps.github, base);
  const entries = files.map((file) => ({ ...file, mode: "100644", type: "blob" }));
  const made = await send(deps, "POST /repos/{owner}/{repo}/git/trees", {
    base_tree: tree.sha,
    tree: entries,
  });
  const parameters = { message, tree: Made.parse(made.data).sha, parents: [base] };
  const { data } = await send(deps, "POST /repos/{owner}/{repo}/git/commits", parameters);
  return Made.parse(data).sha;
}

/** Creating an object twice is harmless; nothing refers to the first. */
function send(
  { github, clock }: Deps,
  route: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<ApiAnswer> {
  return sendAgain(clock, () => github.ask({ route, parameters, purpose }));
}

/** After a lost answer the next attempt finds the branch. */
async function createBranch({ github }: Deps, commit: string): Promise<void> {
  const parameters = { ref: `refs/heads/${setupBranch}`, sha: commit };
  await github.ask({ route: "POST /repos/{owner}/{repo}/git/refs", parameters, purpose });
}

/** Whether GitHub refuses because the App may not change workflows. */
function isRefused(error: unknown): boolean {
  const status = httpStatusOf(error);
  if (isRateLimited(error) || isUnsure(error)) return false;
  const isAboutWorkflows = error instanceof Error && /workflow/i.test(error.message);
  return status === 403 || status === 404 || (status === 422 && isAboutWorkflows);
}

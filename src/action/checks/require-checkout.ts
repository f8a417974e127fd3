import { RalphError } from "../../error.ts";
import { locateRepository } from "../../git/repository/locate-repository.ts";
import { readUserBranch } from "../../git/repository/user-head.ts";
import { directoryOf } from "../inputs/request.ts";
import type { StepContext } from "../step.ts";

/**
 * A job has the files and the branch that actions/checkout gave it: what is wrong with them is told in these
 * words, before the configuration is looked for in a place where nothing is.
 */
export async function requireCheckout({ system, inputs }: Context): Promise<void> {
  const directory = directoryOf(inputs, system.env);
  const { GITHUB_WORKSPACE: workspace = directory, GITHUB_EVENT_NAME: event = "" } = system.env;
  if (!(await system.files(workspace).stat(".git"))) throw noCheckout();
  await requireFolders({ system, inputs }, workspace);
  const { gitDir } = await locateRepository(system, directory);
  if ((await readUserBranch(system.files(gitDir))) !== undefined) return;
  throw new RalphError("git", {
    message: "The checkout is at a commit and not on a branch: there is no branch to commit to.",
    remedy: event.startsWith("pull_request")
      ? `Give actions/checkout \`ref: \${{ github.head_ref }}\`, so that it checks out the pull request's branch.`
      : "Give actions/checkout the name of a branch as `ref:`.",
  });
}

type Context = Pick<StepContext, "system" | "inputs">;

const noCheckout = () =>
  new RalphError("git", {
    message: "Nothing is checked out: the workspace is not a git repository.",
    remedy: "Add a step with actions/checkout and `fetch-depth: 0` before this one.",
  });

/** Entered folder by folder: a link could lead out of the checkout. */
async function requireFolders({ system, inputs }: Context, workspace: string): Promise<void> {
  const wanted = directoryOf(inputs, system.env).slice(workspace.length).split("/").filter(Boolean);
  const files = system.files(workspace);
  for (const [index] of wanted.entries()) {
    const path = wanted.slice(0, index + 1).join("/");
    if ((await files.stat(path))?.kind === "folder") continue;
    throw new RalphError("config", {
      message: `Input working-directory: there is no folder "${path}" in the checkout.`,
      remedy: "Give the path of a folder, relative to the repository's root.",
    });
  }
}

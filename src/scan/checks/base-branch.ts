import { readStartPoint } from "../../git/commits/start-point.ts";
import { askGit } from "../../git/repository/run-git.ts";
import { type Check, pass, warningResult } from "../check.ts";

/** Checks that `git.base_branch` exists; otherwise a run would commit to the current branch. */
export const baseBranchCheck: Check = {
  name: "base-branch",
  needs: ["config", "repo"],
  run: async (context) => {
    const { base_branch, remote } = (await context.config()).config.git;
    const repo = await context.repo();
    for (const ref of [`refs/heads/${base_branch}`, `refs/remotes/${remote}/${base_branch}`]) {
      const { exitCode } = await askGit(repo, ["rev-parse", "--verify", "--quiet", ref]);
      if (exitCode === 0) return pass(`${base_branch} exists`);
    }
    const { branch } = await readStartPoint(repo);
    return warningResult(
      `The branch ${base_branch} does not exist here or at ${remote}; a run would commit to ${branch}.`,
      {
        path: context.configPath,
        remedy: `Fix git.base_branch in ${context.configPath}, or fetch the branch.`,
        fixes: [{ command: `git fetch ${remote} ${base_branch}:${base_branch}` }],
      },
    );
  },
};

import { readStartPoint } from "../../git/commits/start-point.ts";
import { askGit } from "../../git/repository/run-git.ts";
import { shortCommit } from "../../text/figures.ts";
import { type Check, pass, warningResult } from "../check.ts";

/** A repository a run can begin in: work tree, branch, commit, nothing half-done, its history here. */
export const repository: Check = {
  name: "repository",
  needs: ["state", "git"],
  run: async (context) => {
    const repo = await context.repo();
    const { branch, commit } = await readStartPoint(repo);
    const where = `branch ${branch} at ${shortCommit(commit)}`;
    const path = repo.worktree;
    const answer = await askGit(repo, ["rev-parse", "--is-shallow-repository"]);
    if (answer.stdout.toString().trim() !== "true") return pass(where, { path });
    return warningResult(`${where}; a shallow clone, so a pull request may not find its base.`, {
      path,
      remedy: "Fetch the whole history; in GitHub Actions: `fetch-depth: 0` for actions/checkout.",
      fixes: [{ command: "git fetch --unshallow" }],
    });
  },
};

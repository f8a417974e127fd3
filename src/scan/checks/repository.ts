import { readStartPoint } from "../../git/commits/start-point.ts";
import { askGit } from "../../git/repository/run-git.ts";
import { shortCommit } from "../../text/figures.ts";
import { type Check, pass, warningResult } from "../check.ts";

/** Checks that a run can start in the repository: work tree, branch, commit, no unfinished merge, full history. */
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
    return warningResult(`${where}; a shallow clone, which may lack the base of a pull request.`, {
      path,
      remedy: "Fetch the full history; in GitHub Actions: `fetch-depth: 0` for actions/checkout.",
      fixes: [{ command: "git fetch --unshallow" }],
    });
  },
};

import type { Repository } from "../repository/repository.ts";
import { askGit, runGit } from "../repository/run-git.ts";

/** Older versions are not useful. */
const maxCommits = 50;
const maxBytes = 16 * 1024 * 1024;

/** The commits of all branches that changed a file below the project root, newest first, with its content. */
export async function* fileHistory(
  repo: Repository,
  path: string,
): AsyncGenerator<{ commit: string; text: string }> {
  const full = `${repo.prefix}${path}`;
  const log = ["log", `--max-count=${maxCommits}`, "--format=%H", "--branches", "--", full];
  const { exitCode, stdout } = await askGit(repo, log);
  // A repository without a commit has no history.
  if (exitCode !== 0) return;
  for (const commit of stdout.toString().split("\n").filter(Boolean)) {
    const found = await askGit(repo, ["cat-file", "-e", `${commit}:${full}`]);
    if (found.exitCode !== 0) continue;
    const text = await runGit(repo, ["cat-file", "blob", `${commit}:${full}`], { maxBytes });
    yield { commit, text: text.toString() };
  }
}

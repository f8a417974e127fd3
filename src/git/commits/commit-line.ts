import type { Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";

/**
 * The commits after `from` up to `to`, oldest first, if they are at most `max` and one line without merges. Both commits
 * must exist in this repository.
 */
export async function commitLine(
  repo: Repository,
  { from, to, max }: { from: string; to: string; max: number },
): Promise<string[] | undefined> {
  if (from === to) return [];
  const args = ["rev-list", "--reverse", "--parents", `--max-count=${max}`, to, `^${from}`];
  const lines = (await runGit(repo, args)).toString().trim().split("\n");
  const records = lines.map((line) => line.split(" "));
  const isLine = records.every(
    ([, ...parents], index) => parents.join() === (index === 0 ? from : records[index - 1]?.[0]),
  );
  if (!isLine || records.at(-1)?.[0] !== to) return undefined;
  return records.map(([commit = ""]) => commit);
}

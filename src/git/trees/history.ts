import type { Repository } from "../repository/repository.ts";
import { askGit, runGit } from "../repository/run-git.ts";

type HistoryEntry = { commit: string; subject: string; body: string };

const maxLogBytes = 64 * 1024 * 1024;

/** The newest commits with one parent that lead to the current one, newest first; trailers are not part of the body. */
export async function readHistory(repo: Repository, count: number): Promise<HistoryEntry[]> {
  const format = "--format=%H%x00%s%x00%b%x00%(trailers)%x00%x01";
  const args = ["log", "--min-parents=1", "--max-parents=1", `--max-count=${count}`, format];
  const text = (await runGit(repo, args, { maxBytes: maxLogBytes })).toString();
  return text.split("\u0001\n").flatMap((record) => {
    const [commit = "", subject = "", body = "", trailers = ""] = record.split("\0");
    if (commit === "") return [];
    return [{ commit, subject, body: body.replace(trailers, "").trim() }];
  });
}

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

/** The commits after `from` up to `to`, oldest first, if they are at most `max` and one line without merges. */
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

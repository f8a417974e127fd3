import type { Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";

export type HistoryEntry = { commit: string; subject: string; body: string };

const maxBytes = 64 * 1024 * 1024;

/** The newest commits with one parent that lead to the current one, newest first; trailers are not part of the body. */
export async function readHistory(repo: Repository, count: number): Promise<HistoryEntry[]> {
  const format = "--format=%H%x00%s%x00%b%x00%(trailers)%x00%x01";
  const args = ["log", "--min-parents=1", "--max-parents=1", `--max-count=${count}`, format];
  const text = (await runGit(repo, args, { maxBytes })).toString();
  return text.split("\u0001\n").flatMap((record) => {
    const [commit = "", subject = "", body = "", trailers = ""] = record.split("\0");
    if (commit === "") return [];
    return [{ commit, subject, body: body.replace(trailers, "").trim() }];
  });
}

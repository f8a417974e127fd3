import type { Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";

/** The contents of existing blobs by id, from one process. */
export async function readBlobs(
  repo: Repository,
  ids: readonly string[],
): Promise<Map<string, Buffer>> {
  const input = ids.map((id) => `${id}\n`).join("");
  return parseBatch(await runGit(repo, ["cat-file", "--batch"], { input }));
}

/** Parses, for each object, `ID blob SIZE`, a line feed, the content and a line feed. Pure. */
function parseBatch(answer: Buffer): Map<string, Buffer> {
  const contents = new Map<string, Buffer>();
  for (let from = 0; from < answer.length; ) {
    const end = answer.indexOf("\n", from);
    const [id = "", , bytes] = answer.toString("latin1", from, end).split(" ");
    const start = end + 1;
    const stop = start + Number(bytes);
    contents.set(id, answer.subarray(start, stop));
    from = stop + 1;
  }
  return contents;
}

import { listTree } from "../git/list-paths.ts";
import type { Repository } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { splitRecords, toProjectPath } from "../git/tree-path.ts";
import type { FileSide, Patch, PatchFile } from "./patch.ts";

/** Contents that are read for one commit, both sides together; of what is beyond only sizes are known. */
const maxContentBytes = 128 * 1024 * 1024;

type Entry = { mode: string; id: string };
type Raw = { path: string; before: Entry; after: Entry };

/** Reads what a commit brings, compared with its parent. `maxFileBytes`: larger files are not read. */
export async function readPatch(
  repo: Repository,
  { commit, maxFileBytes }: { commit: string; maxFileBytes: number },
): Promise<Patch> {
  const text = await runGit(repo, ["cat-file", "commit", commit]);
  const changes = await readRaw(repo, commit);
  const ids = changes.flatMap(({ before, after }) => [before, after]).filter(isBlob);
  const sizes = await readSizes(repo, ids);
  const contents = await readContents(repo, { sizes, maxFileBytes });
  const side = (entry: Entry): FileSide | undefined =>
    isAbsent(entry)
      ? undefined
      : { mode: entry.mode, bytes: sizes.get(entry.id) ?? 0, content: contents.get(entry.id) };
  const files: PatchFile[] = changes.map(({ path, before, after }) => ({
    path,
    before: side(before),
    after: side(after),
  }));
  return { text: text.toString(), files, paths: await listTree(repo, commit) };
}

const isAbsent = ({ mode }: Entry) => mode === "000000";
const isBlob = (entry: Entry) => !isAbsent(entry) && entry.mode !== "160000";

async function readRaw(repo: Repository, commit: string): Promise<Raw[]> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames"];
  const answer = await runGit(repo, [...args, `${commit}^`, commit]);
  const fields = splitRecords(answer);
  return fields.flatMap((field, index) => {
    const match = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]$/.exec(field);
    const path = fields[index + 1];
    if (index % 2 === 1 || !match || path === undefined) return [];
    const [, fromMode = "", toMode = "", fromId = "", toId = ""] = match;
    return [
      {
        path: toProjectPath(repo.prefix, path),
        before: { mode: fromMode, id: fromId },
        after: { mode: toMode, id: toId },
      },
    ];
  });
}

async function readSizes(repo: Repository, entries: Entry[]): Promise<Map<string, number>> {
  const ids = [...new Set(entries.map(({ id }) => id))];
  const input = ids.map((id) => `${id}\n`).join("");
  const args = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
  const lines = (await runGit(repo, args, { input })).toString().split("\n");
  return new Map(
    lines.flatMap((line) => {
      const [id = "", bytes] = line.split(" ");
      return /^\d+$/.test(bytes ?? "") ? [[id, Number(bytes)] as const] : [];
    }),
  );
}

async function readContents(
  repo: Repository,
  { sizes, maxFileBytes }: { sizes: Map<string, number>; maxFileBytes: number },
): Promise<Map<string, Buffer>> {
  let total = 0;
  const wanted = [...sizes].filter(([, bytes]) => {
    total += bytes;
    return bytes <= maxFileBytes && total <= maxContentBytes;
  });
  const input = wanted.map(([id]) => `${id}\n`).join("");
  const answer = await runGit(repo, ["cat-file", "--batch"], { input });
  return parseBatch(answer);
}

/** Pure. `ID blob SIZE`, a line feed, the content and a line feed, for each object. */
export function parseBatch(answer: Buffer): Map<string, Buffer> {
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

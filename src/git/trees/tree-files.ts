import { FileError } from "../../platform/file-error.ts";
import type { FileStat, ReadFiles } from "../../platform/system.ts";
import type { Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";
import { splitRecords, toProjectPath } from "./tree-path.ts";

/** Room for the names of several hundred thousand files. */
const maxListBytes = 64 * 1024 * 1024;
const defaultMaxBytes = 64 * 1024 * 1024;

type Entry = { kind: FileStat["kind"]; bytes: number; id: string };

/** The files of a commit or tree below the project root, readable like a folder. Links are not followed. */
export async function treeFiles(repo: Repository, treeish: string): Promise<ReadFiles> {
  const args = ["ls-tree", "-r", "-z", "-l", treeish];
  const records = splitRecords(await runGit(repo, args, { maxBytes: maxListBytes }));
  const entries = new Map(records.flatMap((record) => parseEntry(record, repo.prefix)));
  const folders = foldersOf([...entries.keys()]);
  return {
    root: repo.root,
    read: async (path, options) => {
      const entry = entries.get(clean(path));
      if (entry?.kind !== "file") return undefined;
      if (entry.bytes > (options?.maxBytes ?? defaultMaxBytes)) throw tooLarge(path);
      return runGit(repo, ["cat-file", "blob", entry.id]);
    },
    stat: async (path) => {
      const entry = entries.get(clean(path));
      if (entry) return { kind: entry.kind, bytes: entry.bytes, changedMs: 0 };
      return folders.has(clean(path)) ? { kind: "folder", bytes: 0, changedMs: 0 } : undefined;
    },
    list: async (path) => [...(folders.get(clean(path)) ?? [])].toSorted(),
  };
}

const record = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.+)$/s;
const kinds: Record<string, FileStat["kind"]> = { 100644: "file", 100755: "file", 120000: "link" };

function parseEntry(line: string, prefix: string): [string, Entry][] {
  const [, mode = "", , id = "", bytes, path = ""] = record.exec(line) ?? [];
  if (!path.startsWith(prefix)) return [];
  return [
    [toProjectPath(prefix, path), { kind: kinds[mode] ?? "other", bytes: Number(bytes) || 0, id }],
  ];
}

/** Each folder, `""` for the root, with the names in it. */
function foldersOf(paths: readonly string[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>([["", new Set()]]);
  for (const path of paths) {
    let child = path;
    for (let at = child.lastIndexOf("/"); ; at = child.lastIndexOf("/")) {
      const folder = child.slice(0, Math.max(0, at));
      const names = folders.get(folder) ?? new Set();
      folders.set(folder, names.add(child.slice(at + 1)));
      if (folder === "") break;
      child = folder;
    }
  }
  return folders;
}

const clean = (path: string) => path.replace(/^\.(?:\/|$)/, "").replace(/\/$/, "");

const tooLarge = (path: string) =>
  new FileError(path, "too-large", {
    message: `${path} is too large to be read.`,
    remedy: "Make it smaller.",
  });

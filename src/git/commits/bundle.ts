import { basename, dirname } from "node:path/posix";
import type { Repository } from "../repository/repository.ts";
import { askGit, runGit } from "../repository/run-git.ts";

/** Limit for a session's objects (T45, T57). */
const maxPackBytes = 256 * 1024 * 1024;

export type PackContents = {
  /** Absolute path of the pack file. */
  file: string;
  commits: readonly string[];
  trees: readonly string[];
  /** The start commit: readers of the pack have it and all its objects. */
  exclude: string;
};

/** Packs the session's commits and kept trees, without objects of the start commit. */
export async function writePack(repo: Repository, contents: PackContents): Promise<void> {
  const wanted = [...contents.commits, ...contents.trees, `^${contents.exclude}`];
  const args = ["pack-objects", "--revs", "--stdout", "-q"];
  const input = wanted.map((line) => `${line}\n`).join("");
  const pack = await runGit(repo, args, { input, maxBytes: maxPackBytes });
  await repo.system
    .files(dirname(contents.file))
    .write(basename(contents.file), pack, { durable: true });
}

export type PackResult = { kind: "read" } | { kind: "refused"; because: string };

/** Imports a foreign pack into the repository's objects. Every object is checked; no ref points to them yet. */
export async function readPack(repo: Repository, file: string): Promise<PackResult> {
  const options = { maxBytes: maxPackBytes };
  const pack = await repo.system.files(dirname(file)).read(basename(file), options);
  if (pack === undefined) return { kind: "refused", because: `${file} does not exist` };
  const answer = await askGit(repo, ["index-pack", "--stdin", "--strict"], { input: pack });
  if (answer.exitCode === 0) return { kind: "read" };
  return { kind: "refused", because: answer.stderr.trim() };
}

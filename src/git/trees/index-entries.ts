import type { Repository } from "../repository/repository.ts";
import { askProgram, gitFailed } from "../repository/run-git.ts";
import { decodePath, joinRecords } from "./tree-path.ts";

/** The private index's entry of a file, with its state on the disk when git last saw it clean. */
export interface IndexEntry {
  /** From the work tree's root. */
  path: string;
  mode: string;
  blob: string;
  bytes: number;
  /** The change time (ctime), milliseconds since 1970, with fractions. */
  changedMs: number;
}

const entry =
  /(?<=^|\n)(?<mode>\d+) (?<blob>[0-9a-f]+) 0\t(?<path>[^\0]+)\0 {2}ctime: (?<sec>\d+):(?<nsec>\d+)\n(?: {2}.*\n){3} {2}size: (?<bytes>\d+)\t/g;

/** The entries of these paths (from the work tree's root), without those in an unexpected format. */
export async function indexEntries(
  repo: Repository,
  paths: readonly string[],
): Promise<IndexEntry[]> {
  if (paths.length === 0) return [];
  // xargs splits lists that are too long for one call.
  const list = ["xargs", "-0", "git", "ls-files", "--stage", "--debug", "-z", "--"] as const;
  const answer = await askProgram(repo, list, { input: joinRecords(paths) });
  if (answer.exitCode !== 0) throw gitFailed(["ls-files"], answer);
  return parseIndexEntries(answer.stdout);
}

export function parseIndexEntries(output: Buffer): IndexEntry[] {
  // One character per byte, in any encoding of the names.
  return [...output.toString("latin1").matchAll(entry)].map(({ groups = {} }) => ({
    path: decodePath(Buffer.from(String(groups.path), "latin1")),
    mode: String(groups.mode),
    blob: String(groups.blob),
    bytes: Number(groups.bytes),
    changedMs: Number(groups.sec) * 1000 + Number(groups.nsec) / 1e6,
  }));
}

/** Waits for the next second: git detects every later change by time only if its index is newer than the files. */
export async function untilNextSecond({ system, privateDir }: Repository): Promise<void> {
  const files = system.files(privateDir);
  const look = async () => {
    await files.write("clock", "");
    return toSecond((await files.stat("clock"))?.changedMs ?? 0);
  };
  const first = await look();
  while ((await look()) <= first) await system.clock.sleep(50);
  await files.remove("clock");
}

export const toSecond = (ms: number) => Math.floor(ms / 1000);

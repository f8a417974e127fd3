import { posix } from "node:path";
import { branchSlug } from "../planning/branch-for.ts";

/** Files of a run that are kept, by the name they have in the archive (specs 004 10.6). */
export type ArchiveSources = Readonly<Partial<Record<ArchivedName, string>>>;
type ArchivedName = "analysis.json" | "prd.json" | "progress.txt" | "run-record.json";

export interface ArchiveRequest {
  /** `autopilot.memory.archive`. */
  folder: string | false;
  branch: string;
  prefix: string;
  /** When the run started, milliseconds. */
  startedAt: number;
  /** Where each file is now; only those that are there. */
  sources: ArchiveSources;
  /** Names that are in the archive. */
  taken: Iterable<string>;
}

export type ArchivePlan = { folder: string; copies: { from: string; to: string }[] };

/**
 * Which files go where when a run is archived: `20260125-add-login`, with -2, -3, ... where that is taken. Copies only:
 * the progress log is never reset (compatibility 1.21). Undefined when the archive is switched off or would be empty.
 */
export function archivePlan(request: ArchiveRequest): ArchivePlan | undefined {
  const { folder: root, sources, startedAt, branch, prefix } = request;
  const files = Object.entries(sources);
  if (root === false || files.length === 0) return undefined;
  const day = new Date(startedAt).toISOString().slice(0, 10).replaceAll("-", "");
  const folder = posix.join(root, firstFree(`${day}-${branchSlug(branch, prefix)}`, request.taken));
  return { folder, copies: files.map(([name, from]) => ({ from, to: `${folder}/${name}` })) };
}

/** The list of another branch would be written over: its run is archived first. */
export function needsArchive(
  current: { branchName?: string | undefined } | undefined,
  branch: string,
): boolean {
  return current !== undefined && current.branchName !== branch;
}

function firstFree(name: string, taken: Iterable<string>): string {
  const names = new Set([...taken].map((one) => one.toLowerCase()));
  if (!names.has(name)) return name;
  let number = 2;
  while (names.has(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}

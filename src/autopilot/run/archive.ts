import { join, normalize } from "node:path/posix";
import type { Repository } from "../../git/repository/repository.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { treeFiles } from "../../git/trees/tree-files.ts";
import { analysisPath } from "../../schema/autopilot/analysis.ts";
import type { Autopilot } from "../../schema/config/autopilot.ts";
import { checkPrd } from "../../schema/tasks/check-prd.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import { branchSlug } from "../planning/branch-for.ts";
import type { AutopilotRun } from "./autopilot-run.ts";

/** The files of the run whose list the new list overwrites, at their paths in the archive; empty where they are archived. */
export async function archivedFiles(
  repo: Repository,
  { run, settings }: { run: AutopilotRun; settings: Autopilot },
): Promise<{ path: string; text: string }[]> {
  const { archive } = settings.memory;
  const { base, branch = "", started_at } = run;
  const { contents, taken } = await readArchivable(repo, base, settings);
  const list = contents.get("prd.json");
  const replaced = replacedRun(list?.toString("utf8"), branch);
  if (archive === false || !list || !replaced?.branchName) return [];
  for (const name of taken) {
    const path = join(normalize(archive), name, "prd.json");
    if ((await readBlob(repo, { treeish: base, path }))?.equals(list)) return [];
  }
  const folder = archiveFolder(archive, {
    branch: replaced.branchName,
    prefix: settings.branch_prefix,
    startedAt: Date.parse(replaced.metadata?.createdAt ?? started_at),
    taken,
  });
  return [...contents].map(([name, content]) => ({
    path: `${folder}/${name}`,
    text: content.toString("utf8"),
  }));
}

/** The task list of another branch, which a new list would overwrite. A list without a branch is no run's. */
export function replacedRun(list: string | undefined, branch: string): Prd | undefined {
  try {
    const prd = list === undefined ? undefined : checkPrd(JSON.parse(list)).data;
    return prd?.branchName && prd.branchName !== branch ? prd : undefined;
  } catch {
    return undefined;
  }
}

/** The part of a run that is committed: the files to archive, by their names in the archive, and the archive's folders. */
export async function readArchivable(
  repo: Repository,
  treeish: string,
  { memory, tasks }: Autopilot,
): Promise<{ contents: Map<string, Buffer>; taken: string[] }> {
  const { archive, progress } = memory;
  const paths = [
    ["analysis.json", analysisPath],
    ["prd.json", tasks.output],
    ["progress.txt", progress],
  ] as const;
  const contents = new Map<string, Buffer>();
  for (const [name, path] of paths) {
    const content = await readBlob(repo, { treeish, path: normalize(path) });
    if (content) contents.set(name, content);
  }
  const tree = await treeFiles(repo, treeish);
  return { contents, taken: archive === false ? [] : await tree.list(normalize(archive)) };
}

export interface ArchivedRun {
  branch: string;
  /** `autopilot.branch_prefix`. */
  prefix: string;
  /** Milliseconds. */
  startedAt: number;
  /** The folders the archive has. */
  taken: Iterable<string>;
}

/**
 * The folder a run is copied to: `20260125-add-login`, with -2, -3, ... where that is taken (specs 004 10.6). Files are
 * copied, never moved: the progress log is never reset (compatibility 1.21).
 */
export function archiveFolder(
  archive: string,
  { branch, prefix, startedAt, taken }: ArchivedRun,
): string {
  const day = new Date(startedAt).toISOString().slice(0, 10).replaceAll("-", "");
  const name = `${day}-${branchSlug(branch, prefix)}`;
  const names = new Set([...taken].map((one) => one.toLowerCase()));
  let free = name;
  for (let number = 2; names.has(free); number += 1) free = `${name}-${number}`;
  return join(normalize(archive), free);
}

import { join, normalize } from "node:path/posix";
import * as z from "zod";
import type { Repository } from "../../git/repository/repository.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { treeFiles } from "../../git/trees/tree-files.ts";
import { analysisPath } from "../../schema/autopilot/analysis.ts";
import { parseJsonAs } from "../../schema/base/parse-json-as.ts";
import type { Autopilot } from "../../schema/config/autopilot.ts";
import { checkPrd } from "../../schema/tasks/check-prd.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import { branchSlug } from "../planning/branch-for.ts";
import type { AutopilotRun } from "./autopilot-run.ts";

/** The archive as one commit has it. */
export interface Archive {
  /** The committed files of a run, by their names in the archive. */
  contents: ReadonlyMap<string, Buffer>;
  folders: readonly string[];
  /** The folder of a run; `startedAt` in milliseconds. */
  folderOf: (run: { branch: string; startedAt: number }) => string;
}

/** Reads the archive and the files to archive from a commit; undefined where runs are not archived. */
export async function readArchive(
  repo: Repository,
  treeish: string,
  { branch_prefix: prefix, memory, tasks }: Autopilot,
): Promise<Archive | undefined> {
  if (memory.archive === false) return undefined;
  const archive = normalize(memory.archive);
  const paths = {
    "analysis.json": analysisPath,
    "prd.json": tasks.output,
    "progress.txt": memory.progress,
  };
  const contents = new Map<string, Buffer>();
  for (const [name, path] of Object.entries(paths)) {
    const content = await readBlob(repo, { treeish, path: normalize(path) });
    if (content) contents.set(name, content);
  }
  const taken = await (await treeFiles(repo, treeish)).list(archive);
  return {
    contents,
    folders: taken.map((name) => join(archive, name)),
    folderOf: (run) => archiveFolder(archive, { ...run, prefix, taken }),
  };
}

/** The files of the run whose list the new list overwrites, at their paths in the archive; empty where they are archived. */
export async function archivedFiles(
  repo: Repository,
  { run, settings }: { run: AutopilotRun; settings: Autopilot },
): Promise<{ path: string; text: string }[]> {
  const { base, branch = "", started_at } = run;
  const archive = await readArchive(repo, base, settings);
  const list = archive?.contents.get("prd.json");
  const replaced = replacedRun(list?.toString("utf8"), branch);
  if (!archive || !list || !replaced?.branchName) return [];
  for (const folder of archive.folders) {
    const known = await readBlob(repo, { treeish: base, path: `${folder}/prd.json` });
    if (known?.equals(list)) return [];
  }
  const startedAt = Date.parse(replaced.metadata?.createdAt ?? started_at);
  const folder = archive.folderOf({ branch: replaced.branchName, startedAt });
  return [...archive.contents].map(([name, content]) => ({
    path: `${folder}/${name}`,
    text: content.toString("utf8"),
  }));
}

/** The task list of another branch, which a new list would overwrite. A list without a branch belongs to no run. */
export function replacedRun(list: string | undefined, branch: string): Prd | undefined {
  const prd = checkPrd(parseJsonAs(z.unknown(), list)).data;
  return prd?.branchName && prd.branchName !== branch ? prd : undefined;
}

export interface ArchivedRun {
  branch: string;
  prefix: string;
  startedAt: number;
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

import { randomBytes } from "node:crypto";
import { isRunning, readStartTime } from "../process/process-table.ts";
import type { Files } from "../system.ts";

const namePattern = /^\.?ralph-tmp-(\d+)-(\d+)-[0-9a-f]{16}$/;

/** An unguessable name that identifies the writer by process id and start time. */
export const createTemporaryName = (): string => `.${createScratchName()}`;

/** The same for a folder in which gates run: a hidden one would change what they see. */
export function createScratchName(): string {
  ownStartTime ??= readStartTime(process.pid) ?? 0;
  return `ralph-tmp-${process.pid}-${ownStartTime}-${randomBytes(8).toString("hex")}`;
}
let ownStartTime: number | undefined;

/** Removes temporary files of dead processes and locks that are hard links to them (F03); returns their names. */
export async function sweepTemporaryFiles(files: Files, folder: string): Promise<string[]> {
  const names = (await files.list(folder)).map((name) => ({ name, path: `${folder}/${name}` }));
  const drafts = names.filter(({ name }) => isLeftOver(name));
  const locks = drafts.length > 0 ? names.filter(({ name }) => name.endsWith(".lock")) : [];
  const swept = [];
  for (const draft of drafts) {
    for (const lock of locks) if (await isSame(files, draft.path, lock.path)) swept.push(lock);
    // After its lock, whose owner it identifies.
    swept.push(draft);
  }
  for (const { path } of swept) await files.remove(path);
  return swept.map(({ name }) => name);
}

/** Whether two names belong to one file: equal change time, size and content. */
async function isSame(files: Files, one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([files.stat(one), files.stat(other)]);
  if (a?.kind !== "file" || JSON.stringify(a) !== JSON.stringify(b)) return false;
  const read = (path: string) => files.read(path, { maxBytes: a.bytes });
  const [content, otherContent] = await Promise.all([read(one), read(other)]);
  return content !== undefined && otherContent?.equals(content) === true;
}

function isLeftOver(name: string): boolean {
  const [, pid, startTime] = namePattern.exec(name) ?? [];
  if (pid === undefined) return false;
  return !isRunning({ pid: Number(pid), startTime: Number(startTime) || undefined });
}

import { randomBytes } from "node:crypto";
import { isRunning, readStartTime } from "./process-table.ts";
import type { Files } from "./system.ts";

const namePattern = /^\.ralph-tmp-(\d+)-(\d+)-[0-9a-f]{16}$/;

/** A name nobody can guess that tells who writes it: process id and start time. */
export function createTemporaryName(): string {
  ownStartTime ??= readStartTime(process.pid) ?? 0;
  return `.ralph-tmp-${process.pid}-${ownStartTime}-${randomBytes(8).toString("hex")}`;
}
let ownStartTime: number | undefined;

/** Removes the temporary files that dead processes left in one folder (F03); returns their names. */
export async function sweepTemporaryFiles(files: Files, folder: string): Promise<string[]> {
  const swept = (await files.list(folder)).filter(isLeftOver);
  for (const name of swept) await files.remove(`${folder}/${name}`);
  return swept;
}

function isLeftOver(name: string): boolean {
  const [, pid, startTime] = namePattern.exec(name) ?? [];
  if (pid === undefined) return false;
  return !isRunning({ pid: Number(pid), startTime: Number(startTime) || undefined });
}

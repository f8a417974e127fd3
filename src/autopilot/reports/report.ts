import { isUtf8 } from "node:buffer";
import { FileError } from "../../platform/file-error.ts";
import type { FileStat, ReadFiles } from "../../platform/system.ts";
import { sha256 } from "../../schema/session-files/checksum.ts";

/** The starting point of an autopilot run: a file of the repository, or an issue. */
export interface Report {
  /** Relative to the project root; for an issue, to the session directory. */
  path: string;
  text: string;
  /** Digest of the bytes, which identifies a report under any name (design 6). */
  sha256: string;
  kind: "file" | "issue";
}

/** A file that was skipped, and a reason that completes "PATH ...". */
export type SkippedReport = { path: string; reason: string };

export type ReadReport = { kind: "read"; report: Report } | { kind: "skipped"; reason: string };

const minCharacters = 50;
export const maxReportBytes = 1_000_000;

/** Reads one file as a report, or gives the reason to skip it (T13). Links and pipes are never opened. */
export async function readReport(files: ReadFiles, path: string): Promise<ReadReport> {
  try {
    const reason = skipReason(await files.stat(path));
    if (reason !== undefined) return skipped(reason);
    const bytes = await files.read(path, { maxBytes: maxReportBytes });
    return bytes ? reportFrom(path, bytes) : skipped("does not exist");
  } catch (error) {
    // A folder above it is a link, it was replaced since, or it cannot be read.
    if (error instanceof FileError) return skipped(faults[error.fault] ?? "cannot be read");
    throw error;
  }
}

const faults: Readonly<Record<string, string>> = {
  link: "is a symbolic link, or below one",
  outside: "is not below the project root",
  "not-regular": "is not a regular file",
  "too-large": `has more than ${maxReportBytes} bytes`,
};

function skipReason(stat: FileStat | undefined): string | undefined {
  if (stat === undefined) return "does not exist";
  if (stat.kind === "link") return faults.link;
  if (stat.kind === "folder") return "is a folder";
  if (stat.kind === "other") return faults["not-regular"];
  return stat.bytes > maxReportBytes
    ? `has ${stat.bytes} bytes, more than ${maxReportBytes}`
    : undefined;
}

function reportFrom(path: string, bytes: Buffer): ReadReport {
  if (bytes.includes(0) || !isUtf8(bytes)) return skipped("is not text (UTF-8)");
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  const { length } = [...text.trim()];
  if (length === 0) return skipped("is empty");
  if (length < minCharacters)
    return skipped(`has ${length} characters, fewer than ${minCharacters}`);
  return { kind: "read", report: { path, text, sha256: sha256(bytes), kind: "file" } };
}

const skipped = (reason: string): ReadReport => ({ kind: "skipped", reason });

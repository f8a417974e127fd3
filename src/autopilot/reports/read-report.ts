import { isUtf8 } from "node:buffer";
import { FileError } from "../../platform/file-error.ts";
import type { FileStat, ReadFiles } from "../../platform/system.ts";
import { sha256 } from "../../schema/session-files/checksum.ts";
import { maxReportBytes, minReportCharacters, type Report } from "./report.ts";

export type ReadReport = { kind: "read"; report: Report } | { kind: "skipped"; reason: string };

/** Reads one file as a report, or says in a few words why it is none (T13). Links and pipes are never opened. */
export async function readReport(files: ReadFiles, path: string): Promise<ReadReport> {
  try {
    const reason = oddity(await files.stat(path));
    if (reason !== undefined) return { kind: "skipped", reason };
    const bytes = await files.read(path, { maxBytes: maxReportBytes });
    return bytes ? judge(path, bytes) : skipped("is not there");
  } catch (error) {
    // A folder above it is a link, it was exchanged since, or it cannot be read.
    if (error instanceof FileError) return skipped(faults[error.fault] ?? "cannot be read");
    throw error;
  }
}

const faults: Readonly<Record<string, string>> = {
  link: "is a symbolic link, or below one",
  outside: "is not below the project root",
  "not-regular": "is no regular file",
  "too-large": `has more than ${maxReportBytes} bytes`,
};

function oddity(stat: FileStat | undefined): string | undefined {
  if (stat === undefined) return "is not there";
  if (stat.kind === "link") return faults.link;
  if (stat.kind === "folder") return "is a folder";
  if (stat.kind === "other") return faults["not-regular"];
  return stat.bytes > maxReportBytes
    ? `has ${stat.bytes} bytes, more than ${maxReportBytes}`
    : undefined;
}

function judge(path: string, bytes: Buffer): ReadReport {
  if (bytes.includes(0) || !isUtf8(bytes)) return skipped("is not text (UTF-8)");
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  const { length } = [...text.trim()];
  if (length === 0) return skipped("is empty");
  if (length < minReportCharacters) {
    return skipped(`has ${length} characters, fewer than ${minReportCharacters}`);
  }
  return { kind: "read", report: { path, text, sha256: sha256(bytes), kind: "file" } };
}

const skipped = (reason: string): ReadReport => ({ kind: "skipped", reason });

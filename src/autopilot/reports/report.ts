import { isUtf8 } from "node:buffer";
import { RalphError } from "../../error.ts";
import { FileError } from "../../platform/file-error.ts";
import type { FileStat, Files, ReadFiles } from "../../platform/system.ts";
import { sha256 } from "../../schema/session-files/checksum.ts";
import { plainLine } from "../../text/plain-text.ts";

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

/** An issue as the API returns it, which is untrusted. */
export interface Issue {
  number: number;
  title: string;
  author: string;
  url: string;
  body: string;
}

/** Writes an issue as a report below the session directory (compatibility 8.10). An empty issue is exit 10. */
export async function writeIssueReport(
  session: Pick<Files, "write">,
  issue: Issue,
): Promise<Report> {
  const text = renderIssue(issue);
  const isEmpty = issue.body.trim() === "";
  if (isEmpty || Buffer.byteLength(text) > maxReportBytes) {
    throw new RalphError("no_report", {
      message: `Issue ${issue.number} has ${isEmpty ? "no text" : `more than ${maxReportBytes} bytes`}.`,
      remedy: "Describe in the issue what to build and how to see that it works.",
    });
  }
  const path = `reports/issue-${issue.number}.md`;
  await session.write(path, text);
  return { path, text, sha256: sha256(text), kind: "issue" };
}

/** The front matter is YAML for any title, because JSON strings are YAML strings. */
export function renderIssue({ number, title, author, url, body }: Issue): string {
  return [
    "---",
    `issue: ${number}`,
    `title: ${quoted(title)}`,
    `author: ${quoted(author)}`,
    `url: ${quoted(url)}`,
    "---",
    "",
    body.toWellFormed().replaceAll("\0", "").trimEnd(),
    "",
  ].join("\n");
}

/** One line without control characters; JSON leaves some characters that end a line in YAML. */
const quoted = (text: string) =>
  JSON.stringify(plainLine(text, 500)).replace(/[\u0080-\u009f\u2028\u2029]/g, " ");

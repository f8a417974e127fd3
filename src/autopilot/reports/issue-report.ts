import { RalphError } from "../../error.ts";
import type { Files } from "../../platform/system.ts";
import { sha256 } from "../../schema/session-files/checksum.ts";
import { plainLine } from "../../text/plain-text.ts";
import { maxReportBytes, type Report } from "./report.ts";

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

import type { ReadFiles } from "../../platform/system.ts";
import { checkRunRecord } from "../../schema/session-files/check-run-record.ts";
import type { RunRecordFile } from "../../schema/session-files/run-record.ts";
import { parseJson } from "../../sources/parse-json.ts";

export const runsFolder = ".ralph/autopilot/runs";
const maxBytes = 1024 * 1024;
/** Only the newest are read, by name, which begins with the time. */
const maxRecords = 1000;

/** The run records of a commit, newest first. Invalid records are skipped, because they prove nothing. */
export async function readRunRecords(files: ReadFiles): Promise<RunRecordFile[]> {
  const names = (await files.list(runsFolder)).filter((name) => name.endsWith(".json"));
  const newest = names.toSorted().reverse().slice(0, maxRecords);
  const records: RunRecordFile[] = [];
  for (const name of newest) {
    const record = await readRecord(files, `${runsFolder}/${name}`);
    if (record) records.push(record);
  }
  return records;
}

async function readRecord(files: ReadFiles, file: string): Promise<RunRecordFile | undefined> {
  const stat = await files.stat(file);
  if (stat?.kind !== "file" || stat.bytes > maxBytes) return undefined;
  const bytes = await files.read(file);
  const parsed = bytes && parseJson({ bytes, file, maxBytes });
  return parsed?.kind === "parsed" ? checkRunRecord(parsed.value).data : undefined;
}

/**
 * Whether a report was worked on before: by its digest, so that a new report under an old name is new. Records of other
 * tools have no digest, so their path decides.
 */
export function isProcessed(
  report: { path: string; sha256: string },
  known: { records: readonly RunRecordFile[]; digests: ReadonlySet<string> },
): boolean {
  if (known.digests.has(report.sha256)) return true;
  return known.records.some(({ report_sha256, report_path }) =>
    report_sha256 === undefined
      ? report_path !== undefined && plain(report_path) === plain(report.path)
      : report_sha256 === report.sha256,
  );
}

const plain = (path: string) => path.replace(/^(?:\.\/)+/, "");

import type { ReadFiles } from "../../platform/system.ts";
import { checkRunRecord } from "../../schema/session-files/check-session-files.ts";
import type { RunRecordFile } from "../../schema/session-files/run-record.ts";
import { parseJson } from "../../sources/parse-json.ts";
import { plainLine } from "../../text/plain-text.ts";
import { fingerprint, isSameItem } from "./fingerprint.ts";

/** An item that must not be proposed, and the reason: it was fixed recently, or a person rejected it. */
export interface PastItem {
  /** Empty if only the fingerprint is known. */
  item: string;
  /** See `fingerprint`. */
  fingerprint: string;
  reason: string;
}

const dayMs = 86_400_000;
/** The limit for each source. */
const maxItems = 100;

export interface PastSources {
  now: number;
  recentDays: number;
  progress: string;
  /** Of the base branch. */
  records: readonly RunRecordFile[];
  /** Merged pull requests of ralph, of any age. */
  merged: readonly { title: string; mergedAt: string }[];
  /** Items whose pull requests a person closed. */
  rejected: readonly PastItem[];
}

const entry =
  /^##\s+\[?(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)Z?)?\]?\s+-\s+(?:(?:T|US)-\d+:?\s*)?(.+)$/gm;
const logLine =
  /^\[(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)Z?\]\s+(.*\b(?:completed?|done|fixed|implemented)\b.*)$/gim;

/** Everything the analysis must leave out: rejected items, and those fixed within `recentDays`. */
export function pastItems(sources: PastSources): PastItem[] {
  const since = sources.now - sources.recentDays * dayMs;
  const fixed = [
    ...fromProgress(sources.progress),
    ...fromRecords(sources.records),
    ...fromPulls(sources.merged),
  ]
    .filter(({ at }) => at >= since)
    .map(({ item, at, where }) => {
      const text = plainLine(item, 200);
      const reason = `fixed on ${new Date(at).toISOString().slice(0, 10)} (${where})`;
      return { item: text, fingerprint: fingerprint(text), reason };
    });
  return [...sources.rejected.slice(0, maxItems), ...fixed];
}

/** The past item a proposal repeats, if any. */
export function repeatedItem(item: string, past: readonly PastItem[]): PastItem | undefined {
  const id = fingerprint(item);
  return past.find(
    (one) => one.fingerprint === id || (one.item !== "" && isSameItem(one.item, item)),
  );
}

type Fixed = { item: string; at: number; where: string };

function fromProgress(text: string): Fixed[] {
  const found = [...text.matchAll(entry), ...text.matchAll(logLine)].slice(0, maxItems);
  return found.flatMap(([, day, time = "23:59:59", item = ""]) => {
    const at = Date.parse(`${day}T${time}Z`);
    return Number.isNaN(at) ? [] : [{ item, at, where: "progress log" }];
  });
}

/** Records of other tools only have the branch, whose name is made from the item. */
function fromRecords(records: readonly RunRecordFile[]): Fixed[] {
  return records
    .filter(({ status, branch_name }) => status === "completed" && branch_name !== undefined)
    .slice(0, maxItems)
    .map(({ run_id, item, branch_name = "", started_at, completed_at = started_at }) => ({
      item: item ?? branch_name.slice(branch_name.lastIndexOf("/") + 1).replaceAll("-", " "),
      at: Date.parse(completed_at),
      where: `run ${run_id}`,
    }));
}

function fromPulls(merged: PastSources["merged"]): Fixed[] {
  return merged.slice(0, maxItems).map(({ title, mergedAt }) => ({
    item: title.replace(/^\s*ralph:\s*/i, ""),
    at: Date.parse(mergedAt),
    where: "merged pull request",
  }));
}

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

import { pathMatcher } from "../../core/checks/path-pattern.ts";
import { RalphError } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { askGit } from "../../git/repository/run-git.ts";
import { splitRecords, toProjectPath, toTreePath } from "../../git/trees/tree-path.ts";
import { FileError } from "../../platform/file-error.ts";
import type { ReadFiles } from "../../platform/system.ts";
import { RelativePath } from "../../schema/base/fields.ts";
import type { Autopilot } from "../../schema/config/autopilot.ts";
import type { RunRecordFile } from "../../schema/session-files/run-record.ts";
import { isProcessed } from "./past-work.ts";
import { type Report, readReport, type SkippedReport } from "./report.ts";

/** Only the newest files are read. */
const maxFiles = 500;

export interface Discovery {
  /** The project on the disk or in a commit. */
  files: ReadFiles;
  settings: Pick<Autopilot, "reports_dir" | "report_patterns">;
  /** When each path was last committed, in milliseconds (`commitDates`). */
  commitDates: ReadonlyMap<string, number>;
  /** Of the base branch. */
  records: readonly RunRecordFile[];
  /** Report digests from the markers of ralph's pull requests. */
  digests: ReadonlySet<string>;
}

/**
 * At most `most` reports that no run has worked on, newest first: by the date in their names, else by their last commit,
 * else by their time on the disk. Every other file is skipped with a reason.
 */
export async function discoverReports(
  discovery: Discovery,
  most: number,
): Promise<{ reports: Report[]; skipped: SkippedReport[] }> {
  const reports: Report[] = [];
  const skipped: SkippedReport[] = [];
  for (const path of await findCandidates(discovery)) {
    const result = await readReport(discovery.files, path);
    if (result.kind === "skipped") skipped.push({ path, reason: result.reason });
    else if (isProcessed(result.report, discovery)) skipped.push({ path, reason: workedOnReason });
    else reports.push(result.report);
    if (reports.length === most) break;
  }
  return { reports, skipped };
}

export const workedOnReason = "was worked on before";

/** The report requested by name, even if it was worked on before. */
export async function namedReport(files: ReadFiles, path: string): Promise<Report> {
  const own = path.replace(/^(?:\.\/)+/, "");
  const result = RelativePath.safeParse(own).success ? await readReport(files, own) : undefined;
  if (result?.kind === "read") return result.report;
  throw new RalphError("no_report", {
    message: `${path} ${result?.reason ?? "is not a file of the project"}.`,
    remedy: "Name a text file of the project with 50 characters to 1,000,000 bytes.",
  });
}

async function findCandidates({ files, settings, commitDates }: Discovery): Promise<string[]> {
  const folder = settings.reports_dir.replace(/^(?:\.\/)+|\/+$/g, "");
  const matches = pathMatcher(settings.report_patterns);
  const names = (await listFolder(files, folder)).filter((name) => matches(name));
  const dated: { path: string; date: number }[] = [];
  for (const name of names) {
    const path = folder === "" || folder === "." ? name : `${folder}/${name}`;
    const date = dateInName(name) ?? commitDates.get(path) ?? (await files.stat(path))?.changedMs;
    dated.push({ path, date: date ?? 0 });
  }
  // Of equal dates the name that sorts last comes first: `review-10` before `review-9`, in any order of the disk.
  const newestFirst = dated.toSorted(
    (a, b) => b.date - a.date || b.path.localeCompare(a.path, "en", { numeric: true }),
  );
  return newestFirst.slice(0, maxFiles).map(({ path }) => path);
}

/** A folder that is a link, or below one, counts as missing (T13). */
async function listFolder(files: ReadFiles, folder: string): Promise<string[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const { message, remedy } = error;
    throw new RalphError("no_report", { message, remedy, cause: error });
  }
}

/** Exit 10, with the files that were skipped. */
export function noReport(folder: string, skipped: readonly SkippedReport[]): RalphError {
  const listed = skipped.slice(0, 20).map(({ path, reason }) => `  ${path} ${reason}`);
  const more =
    skipped.length > listed.length ? [`  and ${skipped.length - listed.length} more`] : [];
  return new RalphError("no_report", {
    message: [`There is no new report in ${folder}.`, ...listed, ...more].join("\n"),
    remedy: `Put a report into ${folder}, or name one with \`--report\`.`,
  });
}

const datePattern =
  /(?<!\d)(20\d\d)([-_.]?)(\d\d)\2(\d\d)(?:[-_.T ]?(\d\d)[-_.:]?(\d\d)(?:[-_.:]?(\d\d))?)?(?!\d)/;

/** The date in a file name, with its time if it has one, in milliseconds UTC; undefined without a valid date. */
export function dateInName(name: string): number | undefined {
  const [, year, , month, day, hour = "00", minute = "00", second = "00"] =
    datePattern.exec(name) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month}-${day}`;
  return timeOf(date, `${hour}:${minute}:${second}`) ?? timeOf(date, "00:00:00");
}

/** Only dates of the calendar: 31 February is not 3 March. */
function timeOf(date: string, time: string): number | undefined {
  const ms = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(ms)) return undefined;
  return new Date(ms).toISOString().startsWith(`${date}T${time}`) ? ms : undefined;
}

const maxBytes = 16 * 1024 * 1024;

/**
 * When each file below a folder was last committed, in milliseconds; uncommitted files are missing. The times on the disk
 * are of no use, because a checkout makes them all equal (compatibility 8.1).
 */
export async function commitDates(
  repo: Repository,
  { commit, folder }: { commit: string; folder: string },
): Promise<ReadonlyMap<string, number>> {
  const below = folder.replace(/^(?:\.\/)+|^\.$|\/+$/g, "");
  const spec = toTreePath(repo.prefix, below).replace(/\/$/, "");
  const form = ["--no-show-signature", "--no-renames", "--name-only", "-z"];
  const paths = spec === "" ? [] : ["--", spec];
  const args = ["log", ...form, `--format=${mark}%ct`, commit, ...paths];
  const answer = await askGit(repo, args, { maxBytes });
  return answer.exitCode === 0 ? readDates(repo, splitRecords(answer.stdout)) : new Map();
}

/** Starts a time; no path starts with it. */
const mark = "//";

/** Each time is followed by its paths; the newest comes first. */
function readDates({ prefix }: Repository, records: readonly string[]): Map<string, number> {
  const dates = new Map<string, number>();
  let date = 0;
  for (const record of records.map((text) => text.replace(/^\n+/, ""))) {
    if (record.startsWith(mark)) date = Number(record.slice(mark.length).trim()) * 1000;
    else if (record !== "") {
      const path = toProjectPath(prefix, record);
      if (!dates.has(path)) dates.set(path, date);
    }
  }
  return dates;
}

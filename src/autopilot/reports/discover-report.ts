import { pathMatcher } from "../../core/checks/path-pattern.ts";
import { RalphError } from "../../error.ts";
import { FileError } from "../../platform/file-error.ts";
import type { ReadFiles } from "../../platform/system.ts";
import { RelativePath } from "../../schema/base/fields.ts";
import type { Autopilot } from "../../schema/config/autopilot.ts";
import type { RunRecordFile } from "../../schema/session-files/run-record.ts";
import { dateInName } from "./date-in-name.ts";
import { isProcessed } from "./processed-reports.ts";
import { type ReadReport, readReport } from "./read-report.ts";
import type { Report, SkippedReport } from "./report.ts";

/** Of the newest ones; who has not found one by then has no new report. */
const maxFiles = 500;

export interface Discovery {
  /** The project as it is on the disk, or in a commit. */
  files: ReadFiles;
  settings: Pick<Autopilot, "reports_dir" | "report_patterns">;
  /** When each path was last committed (`commitDates`). */
  commitDates: ReadonlyMap<string, number>;
  /** Of the base branch. */
  records: readonly RunRecordFile[];
  /** Digests our pull requests name in their markers. */
  digests: ReadonlySet<string>;
}

export type Discovered = { report: Report; skipped: SkippedReport[] };

/** The newest report nobody has worked on. Throws exit 10 when there is none. */
export async function discoverReport(discovery: Discovery): Promise<Discovered> {
  const { reports, skipped } = await discoverReports(discovery, 1);
  const [report] = reports;
  if (report) return { report, skipped };
  throw noReport(discovery.settings.reports_dir, skipped);
}

/**
 * The newest reports nobody has worked on, `most` at most: by the date in their names, else their last commit, else their
 * time on the disk. What is no report is skipped and named.
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

/** Why a report is passed over that is one. */
export const workedOnReason = "was worked on before";

/** The report somebody asks for by name, even if it was worked on before. */
export async function namedReport(files: ReadFiles, path: string): Promise<Report> {
  const own = path.replace(/^(?:\.\/)+/, "");
  const result = RelativePath.safeParse(own).success
    ? await readReport(files, own)
    : outsideProject;
  if (result.kind === "read") return result.report;
  throw new RalphError("no_report", {
    message: `${path} ${result.reason}.`,
    remedy: "Name a text file of the project with 50 characters to 1,000,000 bytes.",
  });
}

const outsideProject: ReadReport = { kind: "skipped", reason: "is no file of the project" };

async function findCandidates({ files, settings, commitDates }: Discovery): Promise<string[]> {
  const folder = settings.reports_dir.replace(/^(?:\.\/)+|\/+$/g, "");
  const matches = pathMatcher(settings.report_patterns);
  const names = (await listFolder(files, folder)).filter((name) => matches(name));
  const dated: Dated[] = [];
  for (const name of names) {
    const path = folder === "" || folder === "." ? name : `${folder}/${name}`;
    const date = dateInName(name) ?? commitDates.get(path) ?? (await files.stat(path))?.changedMs;
    dated.push({ path, date: date ?? 0 });
  }
  const newest = dated.toSorted(newestFirst).slice(0, maxFiles);
  return newest.map(({ path }) => path);
}

/** A folder that is a link, or below one, holds no reports of this project (T13). */
async function listFolder(files: ReadFiles, folder: string): Promise<string[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const { message, remedy } = error;
    throw new RalphError("no_report", { message, remedy, cause: error });
  }
}

type Dated = { path: string; date: number };

/** Equal dates: the name that sorts last, so that `review-10` comes before `review-9` in any order of the disk. */
const newestFirst = (a: Dated, b: Dated) =>
  b.date - a.date || b.path.localeCompare(a.path, "en", { numeric: true });

/** Exit 10: whatever there is was passed over. */
export function noReport(folder: string, skipped: readonly SkippedReport[]): RalphError {
  const listed = skipped.slice(0, 20).map(({ path, reason }) => `  ${path} ${reason}`);
  const more =
    skipped.length > listed.length ? [`  and ${skipped.length - listed.length} more`] : [];
  return new RalphError("no_report", {
    message: [`There is no new report in ${folder}.`, ...listed, ...more].join("\n"),
    remedy: `Put a report into ${folder}, or name one with \`--report\`.`,
  });
}

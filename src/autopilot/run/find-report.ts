import { RalphError } from "../../error.ts";
import { readStartPoint } from "../../git/commits/start-point.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { treeFiles } from "../../git/trees/tree-files.ts";
import type { OwnPull } from "../../github/pulls/pull.ts";
import { openOwnFiles } from "../../platform/fs/own-files.ts";
import type { ReadFiles } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { sha256 } from "../../schema/session-files/checksum.ts";
import type { RunRecordFile } from "../../schema/session-files/run-record.ts";
import { issueToRead, type WorkRequest } from "../../schema/work-request.ts";
import { plainLine } from "../../text/plain-text.ts";
import {
  commitDates,
  type Discovery,
  discoverReports,
  namedReport,
  noReport,
  workedOnReason,
} from "../reports/discover-report.ts";
import { fingerprint } from "../reports/fingerprint.ts";
import type { GitHubReader } from "../reports/github-reader.ts";
import { isProcessed, type PastItem, pastItems, readRunRecords } from "../reports/past-work.ts";
import { type Report, type SkippedReport, writeIssueReport } from "../reports/report.ts";
import { type AutopilotRun, hasCommits, overridesPast } from "./autopilot-run.ts";
import type { AutopilotDeps, AutopilotRequest } from "./run-request.ts";

export interface Sources {
  repo: Repository;
  base: string;
  config: Config;
  github: GitHubReader;
  runs: readonly AutopilotRun[];
}

/** All earlier work that can be read. */
export interface KnownWork {
  records: readonly RunRecordFile[];
  digests: ReadonlySet<string>;
  pulls: readonly OwnPull[];
}

/** Records of the base branch and of this machine, and the pull requests where they can be read (design 6). */
export async function readKnownWork(
  { repo, base, github, runs }: Sources,
  log: AutopilotDeps["log"],
): Promise<KnownWork> {
  const own = runs.filter(hasCommits).flatMap(({ record }) => record ?? []);
  const committed = await readRunRecords(await treeFiles(repo, base));
  const pulls = await readPulls(github, log);
  const digests = new Set(pulls.flatMap(({ report }) => report ?? []));
  return { records: [...committed, ...own], digests, pulls };
}

/** Without an answer from GitHub the run uses what is known here, and warns. */
async function readPulls(
  github: GitHubReader,
  log: AutopilotDeps["log"],
): Promise<readonly OwnPull[]> {
  try {
    return await github.pulls();
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    log(`Warning: earlier pull requests cannot be read: ${plainLine(error.message, 300)}`);
    return [];
  }
}

/** `others`: documents the model may choose from as well. */
export type FoundReport = {
  report: Report;
  others: readonly Report[];
  skipped: readonly SkippedReport[];
  untrusted: boolean;
};

export type ReportSearch = {
  deps: AutopilotDeps;
  sources: Sources;
  request: AutopilotRequest;
  known: KnownWork;
};

/**
 * The report of a run: the requested issue or file, else the newest report no run has worked on (exit 10). An issue
 * among reports is returned with the newest of them.
 */
export async function findReport(search: ReportSearch): Promise<FoundReport> {
  const { work, report: path } = search.request;
  const issue = issueToRead(work);
  if (issue !== undefined && work.command === "run") return fromIssue(search, issue);
  if (issue !== undefined || path === undefined) return fromReports(search, issue);
  const report = await namedReport(await readableFiles(search, path), path);
  const untrusted = !(await isCommitted(search.sources, report));
  return { report, skipped: [], others: [], untrusted };
}

async function discoveryFor(search: ReportSearch): Promise<Discovery> {
  const { repo, base, config } = search.sources;
  const { reports } = search.request;
  const settings = { ...config.autopilot, ...(reports !== undefined && { reports_dir: reports }) };
  const dates = await commitDates(repo, { commit: base, folder: settings.reports_dir });
  const files = await readableFiles(search, undefined);
  return { files, settings, commitDates: dates, ...search.known };
}

/** At most this many reports are shown to the model beside an issue. */
const maxReports = 4;

/** The newest reports, or the newest one; beside an issue, which a stranger may have written, the run is untrusted as a whole. */
async function fromReports(search: ReportSearch, number: number | undefined): Promise<FoundReport> {
  const isAmong = number !== undefined;
  const discovery = await discoveryFor(search);
  const { reports, skipped } = await discoverReports(discovery, isAmong ? maxReports : 1);
  const issue = isAmong ? await choosableIssue(search, number) : undefined;
  const left = typeof issue === "string" ? [{ path: `Issue ${number}`, reason: issue }] : [];
  const [report, ...others] = typeof issue === "object" ? [...reports, issue] : reports;
  if (!report) throw noReport(discovery.settings.reports_dir, [...left, ...skipped]);
  const untrusted = isAmong || !(await isCommitted(search.sources, report));
  return { report, others, skipped: [...skipped, ...left], untrusted };
}

async function choosableIssue(search: ReportSearch, number: number): Promise<Report | string> {
  try {
    const report = await readIssue(search, number);
    return isProcessed(report, search.known) ? workedOnReason : report;
  } catch (error) {
    if (!(error instanceof RalphError) || error.reason !== "no_report") throw error;
    return `cannot be chosen: ${plainLine(error.message, 300)}`;
  }
}

/**
 * On the base commit the work tree, which may hold reports that git ignores; elsewhere the base commit, except for a
 * requested file that only the work tree has.
 */
async function readableFiles(
  { deps, sources: { repo, base } }: ReportSearch,
  path: string | undefined,
): Promise<ReadFiles> {
  const here = deps.system.files(repo.root);
  if ((await readStartPoint(repo)).commit === base) return here;
  const there = await treeFiles(repo, base);
  return path === undefined || (await there.stat(path)) ? there : here;
}

/** A file of the base commit was written by someone with write access. */
async function isCommitted({ repo, base }: Sources, report: Report): Promise<boolean> {
  const bytes = await readBlob(repo, { treeish: base, path: report.path });
  return bytes !== undefined && sha256(bytes) === report.sha256;
}

async function fromIssue(search: ReportSearch, number: number): Promise<FoundReport> {
  const report = await readIssue(search, number);
  if (!search.request.work.overridesRejection && isProcessed(report, search.known)) {
    throw new RalphError("no_report", {
      message: `Issue ${number} was worked on before, and has not changed since.`,
      remedy: "Describe in the issue what is still missing, then run again.",
    });
  }
  return { report, others: [], skipped: [], untrusted: true };
}

async function readIssue({ deps, sources }: ReportSearch, number: number): Promise<Report> {
  const issue = await sources.github.issue(number);
  const session = openOwnFiles(deps.system, sources.repo.worktree, deps.sessionDir);
  return writeIssueReport(session, issue);
}

/**
 * The known work without earlier runs of this report and without rejected items: the person who requested the report
 * knows of them. Pure.
 */
export function forgetReport(
  known: KnownWork,
  { sha256: digest }: Pick<Report, "sha256">,
): KnownWork {
  return {
    ...known,
    records: known.records.filter(({ report_sha256 }) => report_sha256 !== digest),
    pulls: known.pulls.filter(({ state, report }) => state !== "rejected" && report !== digest),
  };
}

/** The items the analysis of a report must leave out. */
export async function readPast(
  { deps, sources, request, known: all }: ReportSearch,
  report: Pick<Report, "sha256">,
  work: WorkRequest | undefined,
): Promise<PastItem[]> {
  const { memory, analysis } = sources.config.autopilot;
  const known = overridesPast(work) ? forgetReport(all, report) : all;
  const place = { treeish: sources.base, path: memory.progress };
  const progress = await readBlob(sources.repo, place);
  return pastItems({
    now: deps.system.clock.now(),
    recentDays: request.recentDays ?? analysis.recent_days,
    progress: progress?.toString("utf8") ?? "",
    records: known.records,
    merged: known.pulls.flatMap(({ title, mergedAt }) =>
      mergedAt === null ? [] : { title, mergedAt },
    ),
    rejected: known.pulls.filter(({ state }) => state === "rejected").map(rejectedItem),
  });
}

function rejectedItem({ title, item, number }: OwnPull): PastItem {
  const text = plainLine(title.replace(/^\s*ralph:\s*/i, ""));
  return {
    item: text,
    fingerprint: item ?? fingerprint(text),
    reason: `a person closed pull request #${number}`,
  };
}

import type { AutopilotRequest } from "../../autopilot/run/run-request.ts";
import { withEnvironment } from "../../entry/run-options.ts";
import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import { createWorkRequest, type WorkRequest } from "../../schema/work-request.ts";
import { wholeNumber } from "../core/command.ts";

/** Options of `ralph autopilot` as typed. */
export type AutopilotOptions = {
  reports?: string;
  report?: string;
  issue?: string;
  dryRun?: boolean;
  createPr?: boolean;
  branch?: string;
  prd: boolean;
  prdMode?: "autonomous" | "interactive";
  taskCount?: string;
  analysisModel?: string;
  recentDays?: string;
  resume?: boolean | string;
};

/** The checked request. Contradictions and values out of range are exit 1. */
export function autopilotRequestOf(
  options: AutopilotOptions,
  { config, env }: { config: string | undefined; env: Environment },
): AutopilotRequest {
  const isDry = options.dryRun === true || env.RALPH_DRY_RUN === "1";
  refusePairs({ ...options, dryRun: isDry });
  return {
    config: config || undefined,
    flags: withEnvironment({}, env),
    reports: options.reports || undefined,
    report: options.report || undefined,
    work: workOf(options),
    branch: options.branch || undefined,
    document: options.prd ? "with" : "without",
    mode: options.prdMode,
    range: rangeOf(options.taskCount),
    model: options.analysisModel || undefined,
    recentDays: wholeNumber("--recent-days", options.recentDays || undefined, { max: 365 }),
    pull: options.createPr !== false,
    act: options.resume ? "resume" : isDry ? "analyze" : "start",
    ...(typeof options.resume === "string" && { resume: options.resume }),
  };
}

/** An issue beside a folder of reports is one of those to choose from. */
function workOf({ issue: text, reports }: AutopilotOptions): WorkRequest {
  const issue = wholeNumber("--issue", text || undefined, { max: 1_000_000_000 });
  const trigger = "start-command";
  if (issue !== undefined && !reports)
    return createWorkRequest({ command: "run", item: `issue-${issue}`, issue, trigger });
  const among = issue !== undefined && { issue, alternativeIssue: issue };
  return createWorkRequest({ command: "autopilot", item: "reports", ...among, trigger });
}

const ownReport = "A run continues with its own report; leave it out.";
const pairs = [
  ["report", "issue", "--report and --issue", "Name one report: a file or an issue."],
  ["resume", "dryRun", "--resume and --dry-run", "Leave one of them out."],
  ["resume", "report", "--resume and --report", ownReport],
  ["resume", "issue", "--resume and --issue", ownReport],
  ["resume", "branch", "--resume and --branch", "A run continues on its own branch; leave it out."],
] as const;

function refusePairs(options: AutopilotOptions): void {
  const found = pairs.find(([one, other]) => options[one] && options[other]);
  if (!found) return;
  const [, , names, remedy] = found;
  throw new RalphError("config", { message: `${names} exclude each other.`, remedy });
}

/** `8-15`, or one number. */
function rangeOf(text: string | undefined): AutopilotRequest["range"] {
  if (!text) return undefined;
  const [, low = "", high = low] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(text) ?? [];
  const range = { min: Number(low), max: Number(high) };
  if (range.min >= 1 && range.min <= range.max) return range;
  throw new RalphError("config", {
    message: `--task-count must be a number or a range from 1 to 999, not "${text}".`,
    remedy: "For example: --task-count 8-15, or --task-count 5",
  });
}

import { normalize } from "node:path/posix";
import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { isObjectId, readBlob } from "../../git/trees/objects.ts";
import { treeFiles } from "../../git/trees/tree-files.ts";
import type { RunOrigin } from "../../github/publication/publish-request.ts";
import { takePack } from "../../github/verify/audit-bundle.ts";
import { requireConfig, requireHistory, type Trust } from "../../github/verify/trusted-start.ts";
import type { System } from "../../platform/system.ts";
import { analysisPath } from "../../schema/autopilot/analysis.ts";
import type { Autopilot } from "../../schema/config/autopilot.ts";
import type { RunRecordFile } from "../../schema/session-files/run-record.ts";
import type { LocatedProject } from "../../session/open/locate-project.ts";
import { openSide } from "../../session/open/open-side.ts";
import { recordOf } from "../../views/session-files/run-record.ts";
import { renderSource } from "../planning/trace.ts";
import { archivePlan } from "./archive-plan.ts";
import type { AutopilotRun } from "./autopilot-run.ts";
import { readBundledRun } from "./bundled-run.ts";

/** What is told about the run behind a session or a document. */
export type OriginFacts = Pick<RunOrigin, "requested" | "marker" | "issue" | "trace" | "again"> & {
  /** Whether a pull request was asked for when the run was started. */
  wantsPull: boolean;
};
export type SessionOrigin = RunOrigin & OriginFacts;

type OriginRequest = {
  place: LocatedProject;
  /** Folder of the session's bundle, absolute. */
  bundle: string;
  state: SessionState;
  /** What the publisher goes by. */
  trust: Pick<Trust, "revisions" | "config">;
};

/**
 * The autopilot run a session's bundle belongs to; undefined for a plain one. It is only words for the pull request and
 * the files of the last commit: what may be pushed is decided elsewhere. With an origin a proof in place is not enough.
 */
export async function originOf(
  system: System,
  { place, bundle, state, trust }: OriginRequest,
): Promise<SessionOrigin | undefined> {
  const run = await readBundledRun(system.files(bundle));
  if (!run || run.branch !== state.session.branch) return undefined;
  if (!run.record || !isObjectId(state.head)) throw incomplete(bundle);
  await using repo = await openSide(system, place);
  await requireHistory(repo, run.base, trust.revisions);
  const config = await requireConfig(repo, run.base, trust);
  await takePack(repo, state, bundle);
  const record = withSession({ ...run.record, run_id: run.run_id }, state);
  const files = await archivedTexts(repo, state, config.autopilot);
  const archive = archiver(files, { run, settings: config.autopilot });
  return { ...originFactsOf(run, bundle), record, archive, trace: traceOf(run, state) };
}

/** What a run says of itself, whether it has a session or not. */
export function originFactsOf(run: AutopilotRun, bundle: string): OriginFacts {
  const { run_id, analyzed, report, wishes } = run;
  if (!analyzed) throw incomplete(bundle);
  const [, issue] = /^reports\/issue-(\d+)\.md$/.exec(report.path) ?? [];
  return {
    requested: analyzed.analysis,
    marker: { run: run_id, item: analyzed.fingerprint, report: report.sha256 },
    issue: report.kind === "issue" && issue ? Number(issue) : undefined,
    trace: [{ source: renderSource(analyzed.source), tasks: [] }],
    again: wishes.again === true && report.kind === "issue",
    wantsPull: wishes.pull,
  };
}

const traceOf = ({ analyzed }: AutopilotRun, { tasks }: SessionState): RunOrigin["trace"] =>
  analyzed && [{ source: renderSource(analyzed.source), tasks: tasks.map(({ task }) => task.id) }];

/** The record of the end: a run that was killed has one without its session. */
function withSession(before: RunRecordFile, state: SessionState): RunRecordFile {
  // The publisher says what became of the pull request, also where it was said before.
  const { pr_created: _, pr_url: __, ...record } = before;
  if (!state.end) return record;
  const { run_id, started_at, ...session } = recordOf(state, state.end);
  const isDone = session.status === "completed";
  return { ...record, ...session, ...(isDone && { phase: "completed" }) };
}

const incomplete = (bundle: string) =>
  new RalphError("source", {
    message: `${bundle} says too little of its autopilot run to be published.`,
    remedy: "Give the folder of a whole session artifact.",
  });

type ArchivedRun = { run: AutopilotRun; settings: Autopilot };

/** What is kept beside the record, as it is at the session's head; and the names that are taken there. */
async function archivedTexts(
  repo: Repository,
  { head }: SessionState,
  { memory, tasks }: Autopilot,
) {
  const { archive, progress } = memory;
  const paths = [
    ["analysis.json", analysisPath],
    ["prd.json", tasks.output],
    ["progress.txt", progress],
  ] as const;
  const texts = new Map<string, Buffer>();
  for (const [name, path] of paths) {
    const content = await readBlob(repo, { treeish: head, path: normalize(path) });
    if (content) texts.set(name, content);
  }
  const files = await treeFiles(repo, head);
  return { texts, taken: archive === false ? [] : await files.list(normalize(archive)) };
}

type Texts = Awaited<ReturnType<typeof archivedTexts>>;

function archiver({ texts, taken }: Texts, { run, settings }: ArchivedRun): RunOrigin["archive"] {
  const { archive } = settings.memory;
  const names = ["run-record.json", ...texts.keys()];
  const plan = archivePlan({
    folder: archive && normalize(archive),
    branch: run.branch ?? "",
    prefix: settings.branch_prefix,
    startedAt: Date.parse(run.started_at),
    sources: Object.fromEntries(names.map((name) => [name, name])),
    taken,
  });
  return (record) =>
    (plan?.copies ?? []).map(({ from, to }) => ({
      path: to,
      content: texts.get(from) ?? record,
    }));
}

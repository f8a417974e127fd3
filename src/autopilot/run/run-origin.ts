import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { isObjectId } from "../../git/trees/objects.ts";
import type { PlanPublishRequest, RunOrigin } from "../../github/publication/publish-request.ts";
import { takePack } from "../../github/verify/audit-bundle.ts";
import { requireConfig, requireHistory, type Trust } from "../../github/verify/trusted-start.ts";
import type { System } from "../../platform/system.ts";
import type { Autopilot } from "../../schema/config/autopilot.ts";
import type { RunRecordFile } from "../../schema/session-files/run-record.ts";
import { type LocatedProject, openSide } from "../../session/open/locate-project.ts";
import { recordOf } from "../../views/session-files/run-record.ts";
import { renderSource } from "../planning/trace.ts";
import { readArchive } from "./archive.ts";
import {
  type AutopilotRun,
  issueOfReport,
  overridesPast,
  readBundledRun,
} from "./autopilot-run.ts";

/** Facts in a pull request about the run behind its session or document. */
export type OriginFacts = PlanPublishRequest["origin"] & {
  wantsPull: boolean;
};
export type SessionOrigin = RunOrigin & OriginFacts;

type OriginRequest = {
  place: LocatedProject;
  bundle: string;
  state: SessionState;
  trust: Pick<Trust, "revisions" | "config">;
};

/**
 * The autopilot run a session's bundle belongs to; undefined for a plain session. It only supplies text for the pull
 * request and the files of the last commit, and permits no push. With an origin, a proof in place is not enough.
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
  const archive = await archiver(repo, state, { run, settings: config.autopilot });
  const facts = originFactsOf(run, bundle);
  const tasks = state.tasks.map(({ task }) => task.id);
  const trace = facts.trace?.map(({ source }) => ({ source, tasks }));
  return { ...facts, record, archive, trace };
}

/** The facts of a run, with or without a session. */
export function originFactsOf(run: AutopilotRun, bundle: string): OriginFacts {
  const { run_id, analyzed, report, requested, work } = run;
  if (!analyzed) throw incomplete(bundle);
  return {
    requested: analyzed.analysis,
    marker: { run: run_id, item: analyzed.fingerprint, report: report.sha256 },
    issue: report.kind === "issue" ? issueOfReport(report.path) : undefined,
    trace: [{ source: renderSource(analyzed.source), tasks: [] }],
    overridesRejection: overridesPast(work) && report.kind === "issue",
    wantsPull: requested.pull,
  };
}

/** The final record: that of a killed run lacks its session. */
function withSession(before: RunRecordFile, state: SessionState): RunRecordFile {
  // The publisher records the pull request again, whatever the record held before.
  const { pr_created: _, pr_url: __, ...record } = before;
  if (!state.end) return record;
  const { run_id, started_at, ...session } = recordOf(state, state.end);
  const isDone = session.status === "completed";
  return { ...record, ...session, ...(isDone && { phase: "completed" }) };
}

const incomplete = (bundle: string) =>
  new RalphError("source", {
    message: `${bundle} lacks facts of its autopilot run, so it cannot be published.`,
    remedy: "Give the folder of a whole session artifact.",
  });

/** Places the record in the archive, with what the session's head holds of the run. */
async function archiver(
  repo: Repository,
  { head }: SessionState,
  { run, settings }: { run: AutopilotRun; settings: Autopilot },
): Promise<RunOrigin["archive"]> {
  const archive = await readArchive(repo, head, settings);
  if (!archive) return () => [];
  const { branch = "", started_at } = run;
  const folder = archive.folderOf({ branch, startedAt: Date.parse(started_at) });
  return (record) =>
    [["run-record.json", record] as const, ...archive.contents].map(([name, content]) => ({
      path: `${folder}/${name}`,
      content,
    }));
}

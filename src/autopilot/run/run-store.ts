import type { SessionState } from "../../core/state/session-state.ts";
import { analysisPath } from "../../schema/autopilot/analysis.ts";
import type { RunRecordFile } from "../../schema/session-files/run-record.ts";
import { type AutopilotRun, saveAutopilotRun } from "./autopilot-run.ts";
import { writeInto } from "./commit.ts";
import { type AutopilotFacts, autopilotRecord, recordPath, renderRecord } from "./record.ts";
import type { AutopilotDeps } from "./run-request.ts";

export type RunRecordPhase = NonNullable<RunRecordFile["phase"]>;

/** A run's state as it grows; each step of it is on the disk, with its record, before the next one begins. */
export interface RunStore {
  state: () => AutopilotRun;
  /** `run` once the session is over: from then on the record is what it will be at the end. */
  advance: (
    patch: Partial<AutopilotRun>,
    phase: RunRecordPhase,
    state?: SessionState,
  ) => Promise<void>;
  /** The record of the end; after an error the state stays, so that the run can go on. */
  end: (how: End) => Promise<void>;
}

export type End = {
  state?: SessionState | undefined;
  error?: unknown;
  /** What its questions used, where that is not kept yet. */
  asked?: AutopilotRun["asked"];
  pull?: Pick<RunRecordFile, "pr_created" | "pr_url">;
  phase?: RunRecordPhase;
};

/** Keeps a run in the store, and shows its record where the specification wants it. */
export function createRunStore(
  { system, place }: Pick<AutopilotDeps, "system" | "place">,
  first: AutopilotRun,
): RunStore {
  let run = first;
  const keep = async (patch: Partial<AutopilotRun>, record: RunRecordFile) => {
    const kept_at = new Date(system.clock.now()).toISOString();
    run = { ...run, ...patch, record, kept_at };
    await saveAutopilotRun(place.store, run);
    await writeInto({ system, root: place.root }, [
      { path: recordPath(run.run_id), text: renderRecord(record) },
    ]);
  };
  return {
    state: () => run,
    advance: (patch, phase, state) => {
      const next = { ...run, ...patch };
      return keep(patch, recordOf(next, { phase, state }));
    },
    end: ({ state, error, asked = run.asked, pull, phase = "failed" }) => {
      const at = new Date(system.clock.now()).toISOString();
      const completed = error === undefined && phase === "completed";
      const failure = error === undefined ? undefined : { at, error };
      const record = recordOf({ ...run, asked }, { phase, state, failure });
      return keep({ completed, asked }, { ...record, ...pull });
    },
  };
}

type Moment = {
  phase: RunRecordPhase;
  state?: SessionState | undefined;
  failure?: { at: string; error: unknown } | undefined;
};

function recordOf(run: AutopilotRun, { phase, state, failure }: Moment): RunRecordFile {
  const { run_id: runId, started_at: startedAt, asked } = run;
  const record = autopilotRecord({
    ...{ runId, startedAt, phase, facts: factsOf(run) },
    ...(state && { state }),
    ...(failure && { failure }),
  });
  return asked.calls === 0 || state?.end ? record : withPlanning(record, asked);
}

/** The questions are the planning role's. A session tells them itself. */
function withPlanning(
  record: RunRecordFile,
  { calls, usage }: AutopilotRun["asked"],
): RunRecordFile {
  return {
    ...record,
    usage_by_role: { planning: { calls, ...usage } },
    ...(usage.cost_usd !== undefined && { cost_usd: usage.cost_usd }),
  };
}

/** What is known so far; a path is told once there is something behind it. */
function factsOf(run: AutopilotRun): AutopilotFacts {
  const { report, others, analyzed, document, document_commit, list_commit, branch, base } = run;
  const hasAnalysis = document_commit ?? list_commit;
  return {
    ...(others === undefined && { report_path: report.path, report_sha256: report.sha256 }),
    base_commit: base,
    ...(analyzed && {
      item: analyzed.analysis.priority_item,
      item_fingerprint: analyzed.fingerprint,
    }),
    ...(branch !== undefined && { branch_name: branch }),
    ...(hasAnalysis && { analysis_path: analysisPath }),
    ...(document_commit && document && { prd_path: document.path }),
    ...(list_commit && { tasks_path: run.task_path }),
  };
}

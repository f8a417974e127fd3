import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError, stopReasons } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import { analysisPath } from "../../schema/autopilot/analysis.ts";
import type { RunRecordFile } from "../../schema/session-files/run-record.ts";
import { plainLine } from "../../text/plain-text.ts";
import { recordOf } from "../../views/session-files/run-record.ts";
import { runsFolder } from "../reports/past-work.ts";
import { type AutopilotRun, saveAutopilotRun } from "./autopilot-run.ts";
import type { AutopilotDeps } from "./run-request.ts";

type Phase = NonNullable<RunRecordFile["phase"]>;

/** A run's state as it grows. Each step of it is on the disk, with its record, before the next one begins. */
export interface RunStore {
  state: () => AutopilotRun;
  /** With `state` once the session is over: from then on the record holds the session's figures. */
  advance: (patch: Partial<AutopilotRun>, phase: Phase, state?: SessionState) => Promise<void>;
  /** Writes the final record. After an error the state stays, so that the run can be resumed. */
  end: (outcome: RunEnd) => Promise<void>;
}

type RunEnd = {
  state?: SessionState | undefined;
  error?: unknown;
  /** Usage of the questions, where the state does not hold it yet. */
  asked?: AutopilotRun["asked"];
  pull?: Pick<RunRecordFile, "pr_created" | "pr_url">;
  phase?: Phase;
};

/** Keeps a run in the store, and shows its record where the specification wants it. */
export function createRunStore(
  { system, place }: Pick<AutopilotDeps, "system" | "place">,
  first: AutopilotRun,
): RunStore {
  let run = first;
  const timestamp = () => new Date(system.clock.now()).toISOString();
  const keep = async (patch: Partial<AutopilotRun>, record: RunRecordFile) => {
    run = { ...run, ...patch, record, kept_at: timestamp() };
    await saveAutopilotRun(place.store, run);
    const text = `${JSON.stringify(record, null, 2)}\n`;
    await writeInto({ system, root: place.root }, [{ path: recordPath(run.run_id), text }]);
  };
  return {
    state: () => run,
    advance: (patch, phase, state) =>
      keep(patch, autopilotRecord({ ...run, ...patch }, { phase, state })),
    end: ({ state, error, asked = run.asked, pull, phase = "failed" }) => {
      const completed = error === undefined && phase === "completed";
      const failure = error === undefined ? undefined : { at: timestamp(), error };
      const record = autopilotRecord({ ...run, asked }, { phase, state, failure });
      return keep({ completed, asked }, { ...record, ...pull });
    },
  };
}

/** Where a run's record is shown and committed, relative to the project root. */
export const recordPath = (runId: string) => `${runsFolder}/${runId}.json`;

/** Writes files below the project root. A file that is already right is not touched, so that git need not read it again. */
export async function writeInto(
  { system, root }: { system: Pick<System, "files">; root: string },
  files: readonly { path: string; text: string }[],
): Promise<void> {
  const project = system.files(root);
  for (const { path, text } of files) {
    const exists = (await project.stat(path))?.kind === "file";
    if (exists && (await project.read(path))?.toString("utf8") === text) continue;
    await project.write(path, text);
  }
}

type Moment = {
  phase: Phase;
  /** The session that works through the tasks, once there is one. */
  state?: SessionState | undefined;
  /** The error that ended the run outside of its session. */
  failure?: { at: string; error: unknown } | undefined;
};

/** The record of an autopilot run: its planning, and its session's figures once the session has ended (specs 004 10.4). */
export function autopilotRecord(
  run: AutopilotRun,
  { phase, state, failure }: Moment,
): RunRecordFile {
  const { run_id, started_at, asked } = run;
  const session = state?.end && recordOf(state, state.end);
  return {
    ...{ run_id, started_at },
    ...(session ?? { status: "running" }),
    ...{ run_id, started_at },
    ...factsOf(run),
    ...(failure ? failureOf(failure) : { phase }),
    ...(asked.calls > 0 && !session && planningUsage(asked)),
  };
}

/** Only the planning role asks questions; a session's own record holds them already. */
const planningUsage = ({ calls, usage }: AutopilotRun["asked"]): Partial<RunRecordFile> => ({
  usage_by_role: { planning: { calls, ...usage } },
  ...(usage.cost_usd !== undefined && { cost_usd: usage.cost_usd }),
});

/** The facts so far. A path is named once the file exists. */
function factsOf(run: AutopilotRun): Partial<RunRecordFile> {
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

function failureOf({ at, error }: NonNullable<Moment["failure"]>): Partial<RunRecordFile> {
  const message = error instanceof Error ? error.message : String(error);
  const reason = error instanceof RalphError ? error.reason : undefined;
  const status = reason === "cancelled" ? "aborted" : "failed";
  return {
    phase: status,
    completed_at: at,
    status,
    ...(reason !== undefined && stopReasons[reason] !== 0 && { stop_reason: reason }),
    failure_reason: plainLine(message, 1000),
  };
}

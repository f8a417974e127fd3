import { normalize } from "node:path/posix";
import { analysisPath } from "../autopilot/analyze.ts";
import { archivePlan } from "../autopilot/archive-plan.ts";
import { type RunState, readStates } from "../autopilot/run-state.ts";
import { renderSource } from "../autopilot/trace.ts";
import { readBlob } from "../git/objects.ts";
import type { Repository } from "../git/repository.ts";
import { treeFiles } from "../git/tree-files.ts";
import type { RunOrigin } from "../github/session-wish.ts";
import { openSide } from "../loop/open-side.ts";
import { readCommitConfig } from "../loop/start-config.ts";
import type { Autopilot } from "../model/config/autopilot.ts";
import type { RunRecord } from "../model/run-record.ts";
import type { Run } from "../run/run.ts";
import { recordOf } from "../surfaces/views/run-record.ts";
import type { System } from "../system/system.ts";
import type { ChosenSession } from "./choose-published.ts";

type LocalOrigin = RunOrigin & { wantsPull: boolean };

/** The autopilot run a session of this machine belongs to; undefined for a plain one. */
export async function originOf(
  system: System,
  { place, run, isOwn }: ChosenSession,
): Promise<LocalOrigin | undefined> {
  if (!isOwn) return undefined;
  const { branch, config_path: path, start } = run.session;
  const state = (await readStates(place.store)).findLast((each) => each.branch === branch);
  if (!state?.analyzed || !state.record) return undefined;
  await using repo = await openSide(system, place);
  const config = await readCommitConfig(repo, { commit: start.commit, path }, undefined);
  if (!config) return undefined;
  const files = await archivedTexts(repo, run, { state, settings: config.autopilot });
  return { ...told(state, run), archive: archiver(files, { state, settings: config.autopilot }) };
}

function told(
  { run_id, analyzed, report, record, wishes }: RunState,
  run: Run,
): Omit<LocalOrigin, "archive"> {
  if (!analyzed || !record) throw new Error("The steps are taken in their order.");
  const { analysis, fingerprint: item, source } = analyzed;
  const [, issue] = /^reports\/issue-(\d+)\.md$/.exec(report.path) ?? [];
  // The publisher says what became of the pull request, also where it was said before.
  const { pr_created: _, pr_url: __, ...known } = withSession(record, run);
  const isDone = known.status === "completed";
  return {
    asked: analysis,
    marker: { run: run_id, item, report: report.sha256 },
    issue: report.kind === "issue" && issue ? Number(issue) : undefined,
    trace: [{ source: renderSource(source), tasks: run.tasks.map(({ task }) => task.id) }],
    record: { ...known, ...(isDone && { phase: "completed" }) },
    wantsPull: wishes.pull,
  };
}

/** A run that was killed before its end has a record without its session. */
function withSession(record: RunRecord, run: Run): RunRecord {
  if (!run.end || record.session_id !== undefined) return record;
  const { run_id: _, started_at: __, ...session } = recordOf(run, run.end);
  const costs = [record.cost_usd, session.cost_usd].filter((cost) => cost !== undefined);
  return {
    ...record,
    ...session,
    usage_by_role: { ...session.usage_by_role, ...record.usage_by_role },
    ...(costs.length > 0 && { cost_usd: costs.reduce((sum, cost) => sum + cost) }),
  };
}

type Settled = { state: RunState; settings: Autopilot };

/** What is kept beside the record, as it is at the session's head; and the names that are taken there. */
async function archivedTexts(repo: Repository, { head }: Run, { state, settings }: Settled) {
  const { archive, progress } = settings.memory;
  const paths = [
    ["analysis.json", analysisPath],
    ["prd.json", state.task_path],
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

function archiver({ texts, taken }: Texts, { state, settings }: Settled): RunOrigin["archive"] {
  const { archive } = settings.memory;
  const names = ["run-record.json", ...texts.keys()];
  const plan = archivePlan({
    folder: archive && normalize(archive),
    branch: state.branch ?? "",
    prefix: settings.branch_prefix,
    startedAt: Date.parse(state.started_at),
    sources: Object.fromEntries(names.map((name) => [name, name])),
    taken,
  });
  return (record) =>
    (plan?.copies ?? []).map(({ from, to }) => ({
      path: to,
      content: texts.get(from) ?? record,
    }));
}

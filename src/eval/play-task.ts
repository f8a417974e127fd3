import type { EvaluationRun } from "../core/checks/evaluation-score.ts";
import type { SessionState } from "../core/state/session-state.ts";
import { runProject } from "../entry/run-project.ts";
import { createPrivateFolder } from "../platform/fs/folder-tree.ts";
import type { System } from "../platform/system.ts";
import { openScanContext, type ScanContext } from "../scan/scan-context.ts";
import type { Contestant } from "./contestants.ts";
import type { PreparedTask } from "./hidden-files.ts";
import { judgeResult } from "./judge-result.ts";
import { makeCopy } from "./make-copy.ts";

type Play = {
  task: PreparedTask;
  contestant: Contestant;
  signal: AbortSignal;
};

/** Lets one contestant work on one task through the whole loop, in a copy that is removed, and judges what it leaves. */
export async function playTask(context: ScanContext, play: Play): Promise<EvaluationRun> {
  const { system } = context;
  const { task, contestant, signal } = play;
  const [repo, { config }] = [await context.repo(), await context.config()];
  const folder = createPrivateFolder(system.env.TMPDIR || "/tmp", "ralph-eval-");
  try {
    const own = { ...config, agents: contestant.apply(config.agents) };
    const directory = await makeCopy(system, { repo, config: own }, { task, folder });
    const apart = apartFrom(system, `${folder}/state`);
    const outcome = await runProject(
      apart,
      { directory, config: undefined, sessionDir: undefined, options: {} },
      { live: { event: () => {} }, started: () => {}, cancel: signal },
    );
    if (outcome.kind !== "ended") throw new Error("unreachable: a copy has no other run");
    const run = runOf(outcome.state, { task, agent: contestant.name });
    if (run.ended !== "passed" || task.hidden.size === 0) return run;
    return {
      ...run,
      hidden: await judgeHead(apart, { directory, signal, task, state: outcome.state }),
    };
  } finally {
    await system
      .files(folder.slice(0, folder.lastIndexOf("/")))
      .remove(folder.split("/").at(-1) ?? "");
  }
}

/** Sessions of an evaluation are no sessions of the project, and settings of this run are not theirs. */
function apartFrom(system: System, stateDir: string): System {
  const { RALPH_CONFIG: _, RALPH_SESSION_DIR: __, ...env } = system.env;
  return { ...system, env: { ...env, RALPH_STATE_DIR: stateDir } };
}

function runOf(
  state: SessionState,
  { task, agent }: { task: PreparedTask; agent: string },
): EvaluationRun {
  const [played] = state.tasks;
  const ended = played?.state;
  const findings = played?.proof?.judged?.findings ?? [];
  return {
    agent,
    task: task.name,
    is_impossible: task.isImpossible,
    ended: ended === "passed" || ended === "blocked" || ended === "failed" ? ended : "other",
    reason: played?.message ?? state.end?.message ?? "",
    hidden: "none",
    has_finding: findings.some(({ kind }) => kind === "finding"),
    cost_usd: state.usage.cost_usd ?? null,
    ms: Date.parse(state.ts) - Date.parse(state.startedAt),
  };
}

async function judgeHead(
  system: System,
  {
    directory,
    signal,
    task,
    state,
  }: { directory: string; signal: AbortSignal; task: PreparedTask; state: SessionState },
): Promise<EvaluationRun["hidden"]> {
  await using context = await openScanContext(system, {
    directory,
    config: undefined,
    sessionDir: (root) => `${root}/.ralph-session`,
    signal,
  });
  return (await judgeResult(context, { tree: state.headTree, hidden: task.hidden })).kind;
}

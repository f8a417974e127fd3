import { judgeChanges } from "../../core/checks/judge-changes.ts";
import type { StepOf } from "../../core/decide/step.ts";
import type { FactOf } from "../../core/state/event.ts";
import { taskOf } from "../../core/state/session-state.ts";
import { type GateResult, gateKeyOf } from "../../gates/gates.ts";
import type { Change } from "../../git/repository/repository.ts";
import { advanceTo } from "../../git/worktree/reset.ts";
import { stageChanges } from "../../git/worktree/stage.ts";
import { protectionOf } from "../loop/collect-changes.ts";
import { gateNamed } from "../loop/policy-of.ts";
import { reportRefusals } from "../loop/report-refusals.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { judgeGate, redIfSwitchedOff } from "../proof/judge-gate.ts";
import { brokenSetup, openJudgingPlace } from "../workers/workers.ts";

type About = Pick<FactOf<"gate_end">, "task" | "gate" | "level" | "tree">;

/** Runs one gate on the tree to be committed and journals its result, and the changes it may make. */
export async function runLevelGate(
  session: SessionContext,
  { kind: _, ...about }: StepOf<"run-gate">,
): Promise<void> {
  const { result, fixed } = await measureAside(session, about);
  await reportRefusals(session, { who: `Gate ${about.gate}`, refused: session.network.refused() });
  if (fixed) await takeIn(session, { about, fixed });
  else if (result) await record(session, result);
}

type Measured = { result?: FactOf<"gate_end"> | undefined; fixed?: Fixed | undefined };

/** Measures a gate where no agent's process can reach it. Without a result when the user cancelled. */
export async function measureAside(session: SessionContext, about: About): Promise<Measured> {
  const place = await openJudgingPlace(session, about.tree);
  if (place.kind === "stopped") return {};
  if (place.kind === "broken") {
    return { result: await gateEnd(session, about, { result: brokenSetup(place.result) }) };
  }
  const { context } = place;
  let fixed: Fixed | undefined;
  const keep = async (edited: readonly Change[]) => {
    fixed = await stageFixes(context, { tree: about.tree, edited });
  };
  const result = await measureGate(context, about, mayFix(session, about) ? keep : undefined);
  return { result, fixed };
}

/** Runs one gate on the work tree of `context`, which holds `tree`, and undoes its changes. Undefined when cancelled. */
export async function measureGate(
  context: SessionContext,
  about: About,
  keep?: (edited: readonly Change[]) => Promise<void>,
): Promise<FactOf<"gate_end"> | undefined> {
  const { state } = context.journal;
  const gate = gateNamed(context.config, about.level, about.gate);
  const judged = await judgeGate(context, gate, keep);
  if (context.cancel.aborted) return undefined;
  const base = about.task === "" ? state.session.start.tree : taskOf(state, about.task).base;
  const result = await redIfSwitchedOff(context, { gate, base, result: judged.result });
  return gateEnd(context, about, { ...judged, result });
}

async function gateEnd(
  { config, evidence }: SessionContext,
  { task, gate: name, level, tree }: About,
  { result, leftovers = [] }: { result: GateResult; leftovers?: string[] },
): Promise<FactOf<"gate_end">> {
  const gate = gateNamed(config, level, name);
  const { status, detail, fingerprints, tests, mutation, planted, ms } = result;
  return {
    type: "gate_end",
    task,
    gate: gate.name,
    key: gateKeyOf(gate),
    level,
    ...(!gate.fatal && { fatal: false }),
    tree,
    status,
    detail,
    fingerprints,
    ...(tests && { tests }),
    ...(mutation && { mutation }),
    ...(planted && { planted }),
    leftovers,
    ms,
    output: await evidence.put(result.output, result.outputBytes),
  };
}

/** A gate that changes its own result again and again has no verdict in the end. */
const maxFixes = 5;

function mayFix({ config, journal }: SessionContext, { task, level, gate }: About): boolean {
  const { fixes = false } = gateNamed(config, level, gate);
  return fixes && task !== "" && (taskOf(journal.state, task).fixes ?? 0) < maxFixes;
}

type Fixed = { tree: string; paths: string[] };

/** The tree with a fixing gate's changes, except those to protected files. */
async function stageFixes(
  context: SessionContext,
  { tree, edited }: { tree: string; edited: readonly Change[] },
): Promise<Fixed | undefined> {
  const rules = {
    role: "implementation",
    protection: protectionOf(context),
    testPaths: [],
  } as const;
  const refused = new Set(judgeChanges(edited, rules).refused);
  const changes = edited.filter(({ path }) => !refused.has(path));
  if (changes.length === 0) return undefined;
  const staged = await stageChanges(context.repo, { tree, changes });
  return staged === tree ? undefined : { tree: staged, paths: changes.map(({ path }) => path) };
}

/** The work goes on from the fixed tree, on which every gate runs again. */
async function takeIn(
  session: SessionContext,
  { about: { task, gate, tree }, fixed }: { about: About; fixed: Fixed },
): Promise<void> {
  await advanceTo(session.repo, { from: tree, to: fixed.tree });
  await record(session, { type: "gate_fixed", task, gate, from: tree, ...fixed });
}

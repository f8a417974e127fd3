import { type GateResult, isMet, runGate } from "../../gates/gates.ts";
import type { Change } from "../../git/repository/repository.ts";
import { listTree } from "../../git/trees/list-paths.ts";
import { ignoredChanged } from "../../git/worktree/ignored-changed.ts";
import type { Gate } from "../../schema/config/gates.ts";
import { undoChanges } from "../loop/collect-changes.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { buildBefore, noteBuilt } from "./build-before.ts";
import { withMutationScore } from "./mutation-score.ts";
import { plantedIn } from "./planted-in.ts";

/** A gate's result, and the files it left behind, which were removed. */
export type JudgedGate = { result: GateResult; leftovers: string[] };

/**
 * Runs a gate in the work tree of `context` and undoes its changes. A gate that changed files it judges has no verdict:
 * it did not see what would be committed; unless `keep` takes them, before they are undone.
 */
export async function judgeGate(
  context: SessionContext,
  gate: Gate,
  keep?: (edited: readonly Change[]) => Promise<void>,
): Promise<JudgedGate> {
  const { repo, system } = context;
  const run = () => runGate(gateDeps(context), gate);
  const sinceMs = system.clock.now();
  const ran = await withMutationScore(system.files(repo.root), gate, run);
  if (context.cancel.aborted || ran.status === "skipped") return { result: ran, leftovers: [] };
  const { leftovers, edited, ignored } = await undoChanges(context, keep);
  const changed = context.worker ? await ignoredChanged(context.repo, { ignored, sinceMs }) : [];
  noteBuilt(context, gate, { ignored, changed, tests: ran.tests });
  const planted = await plantedIn(context, changed);
  const result = { ...ran, ...(planted.length > 0 && { planted }) };
  if (edited.length === 0 || keep) return { result, leftovers };
  return { result: { ...result, ...noVerdict(edited) }, leftovers };
}

/**
 * The same in a checkout that may hold what earlier gates built for another tree; that is built again. What fixing gates
 * change belongs to no task.
 */
export async function judgeBuilt(
  context: SessionContext,
  gate: Gate,
  task: string,
): Promise<GateResult> {
  const run = async (each: Gate) =>
    (await judgeGate(context, each, each.fixes ? async () => {} : undefined)).result;
  return (await buildBefore(context, gate, { task, run })) ?? run(gate);
}

function noVerdict(edited: readonly Change[]): Partial<GateResult> {
  const paths = edited.map(({ path }) => path);
  const named = paths.slice(0, 5).join(", ");
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : "";
  const detail = `No verdict: the gate changed files it judges (${named}${more}), so it did not see what would be committed. Commit files it leaves alone; or give the gate a command that only checks, or set \`fixes: true\` on it, and its changes are taken in.`;
  return { status: "not_started", detail, fingerprints: [] };
}

/** A gate whose condition held before the task and no longer does is red: removing a file switches no gate off. */
export async function redIfSwitchedOff(
  { repo }: SessionContext,
  { gate, base, result }: { gate: Gate; base: string; result: GateResult },
): Promise<GateResult> {
  if (result.status !== "skipped" || gate.when === undefined) return result;
  if (!isMet(gate.when, await listTree(repo, base))) return result;
  const detail = `The gate would be skipped: nothing matches its condition ${gate.when} now, but something did before. Restore it.`;
  return { ...result, status: "failed", detail };
}

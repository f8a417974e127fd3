import { isPlantedProgram, plantedFiles } from "../../core/proof/planted-files.ts";
import { type GateResult, isMet, runGate } from "../../gates/gates.ts";
import { readMutationReport } from "../../gates/mutation-report.ts";
import type { Change } from "../../git/repository/repository.ts";
import { listTree } from "../../git/trees/list-paths.ts";
import { ignoredChanged } from "../../git/worktree/ignored-changed.ts";
import type { Files } from "../../platform/system.ts";
import type { Gate } from "../../schema/config/gates.ts";
import { firstOf } from "../../text/figures.ts";
import { undoChanges } from "../loop/collect-changes.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { forgetPackages } from "../workers/kept-packages.ts";
import { forgetSetUp } from "../workers/set-up-worker.ts";
import { buildBefore, noteBuilt } from "./build-before.ts";

/** A gate's result, and the files it left behind, which were removed. */
type JudgedGate = { result: GateResult; leftovers: string[] };

/** Runs a gate and undoes its changes. Unless `keep` takes them, a gate that changed files it judges has no verdict. */
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

/** The same in a checkout that may hold builds of another tree; these are built again. What fixing gates change belongs to no task. */
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
  const detail = `No verdict: the gate changed files it judges (${firstOf(paths, 5)}), so it did not see what would be committed. Commit files it leaves alone; or give the gate a command that only checks, or set \`fixes: true\` on it, and its changes are taken in.`;
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

/** A report holds the source of all files that were mutated. */
const maxBytes = 64 * 1024 * 1024;

/** Runs a gate; with `kind: mutation`, adds the score of the report this run wrote, without which it has no verdict. */
async function withMutationScore(
  files: Files,
  { kind, report }: Gate,
  run: () => Promise<GateResult>,
): Promise<GateResult> {
  if (kind !== "mutation" || report === undefined) return run();
  await files.remove(report);
  const { tests: _, ...result } = await run();
  if (result.status !== "passed" && result.status !== "failed") return result;
  const text = (await files.read(report, { maxBytes }))?.toString("utf8");
  const mutation = text === undefined ? undefined : readMutationReport(text);
  if (mutation) return { ...result, mutation };
  const why = text === undefined ? "was not written" : "is no known mutation report";
  const detail = `No verdict: ${report} ${why}. ${result.detail}`.trim();
  return { ...result, status: "not_started", detail, fingerprints: [] };
}

/** Installed files that a gate changed. Programs among them are removed and packages laid out again: work could plant one. */
async function plantedIn(context: SessionContext, changed: readonly string[]): Promise<string[]> {
  const { repo, system } = context;
  const planted = plantedFiles(changed);
  const programs = planted.filter(isPlantedProgram);
  if (programs.length === 0) return planted;
  for (const path of programs) await system.files(repo.root).remove(path);
  forgetPackages(repo);
  forgetSetUp(context, { all: true });
  return planted;
}

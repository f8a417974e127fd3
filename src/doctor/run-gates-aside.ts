import { type Checkout, checkoutTree } from "../git/checkout-tree.ts";
import { listTree } from "../git/list-paths.ts";
import { readStart } from "../git/start.ts";
import type { Gate, SetupStep } from "../model/config/gates.ts";
import { type GateDeps, type GateResult, runGate } from "../verify/gates.ts";
import { linkPackages } from "../verify/link-packages.ts";
import { gateDepsOf } from "./gate-place.ts";
import type { Scene } from "./scene.ts";

export interface GateRun {
  step: Gate | SetupStep;
  isSetup: boolean;
  result: GateResult;
}

/**
 * Runs setup steps and gates on the current commit as a baseline does: in a checkout of its own, which goes away. A
 * setup step that fails is the last thing that runs.
 */
export async function runGatesAside(scene: Scene, gates: readonly Gate[]): Promise<GateRun[]> {
  const repo = await scene.repo();
  const { setup } = (await scene.config()).config;
  const { tree } = await readStart(repo);
  await using checkout = await checkoutTree(repo, { tree, directory: `${repo.privateDir}-aside` });
  const there = await depsAt(scene, { checkout, tree });
  if (setup.length === 0) {
    const paths = await there.paths();
    await linkPackages(scene.system, { from: repo.root, to: checkout.root, paths });
  }
  const prepared = await runAll(there, { steps: setup, isSetup: true, stopsAtRed: true });
  if (prepared.some(({ result }) => isRed(result))) return prepared;
  const judged = await runAll(there, { steps: gates, isSetup: false, stopsAtRed: false });
  return [...prepared, ...judged];
}

async function depsAt(
  scene: Scene,
  { checkout, tree }: { checkout: Checkout; tree: string },
): Promise<GateDeps> {
  const [repo, sandbox] = [await scene.repo(), await scene.sandbox()];
  const { root, worktree } = checkout;
  return {
    ...(await gateDepsOf(scene)),
    root,
    wrap: (program) => sandbox.wrap(program, { worktree }),
    paths: () => listTree(repo, tree),
  };
}

const isRed = ({ status }: GateResult) => status !== "passed" && status !== "skipped";

async function runAll(
  deps: GateDeps,
  plan: { steps: readonly (Gate | SetupStep)[]; isSetup: boolean; stopsAtRed: boolean },
): Promise<GateRun[]> {
  const runs: GateRun[] = [];
  for (const step of plan.steps) {
    if (deps.signal.aborted) break;
    const result = await runGate(deps, step);
    runs.push({ step, isSetup: plan.isSetup, result });
    if (plan.stopsAtRed && isRed(result)) break;
  }
  return runs;
}

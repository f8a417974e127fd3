import type { System } from "../platform/system.ts";
import { type GateCommand, type GateDeps, type GateResult, runGate } from "./gates.ts";
import { linkPackages } from "./link-packages.ts";

/** A checkout of a tree for running gates. Disposing of it removes it. */
export type GateCheckout = AsyncDisposable & Pick<GateDeps, "root" | "wrap" | "paths">;

export interface BaselineDeps extends GateDeps {
  system: Pick<System, "ask" | "files" | "env">;
  /** `root` may also be the work tree itself, temporarily reset to that tree. */
  openCheckout: (tree: string) => Promise<GateCheckout>;
  /** `setup` of the configuration: installs what the gates need, which a fresh checkout lacks. */
  setup: readonly GateCommand[];
}

/** Runs a gate in a prepared checkout of the start tree, to tell old failures from new ones (design 4.3). */
export async function runBaseline(
  deps: BaselineDeps,
  { gate, tree }: { gate: GateCommand; tree: string },
): Promise<GateResult> {
  await using checkout = await deps.openCheckout(tree);
  const { root, wrap, paths } = checkout;
  const there: GateDeps = { ...deps, root, wrap, paths };
  const steps = root === deps.root ? [] : await prepareCheckout(deps, there);
  const broken = steps.find(({ result }) => isRed(result));
  return broken ? notStarted(broken.result) : await runGate(there, gate);
}

export type StepResult<Step> = { step: Step; result: GateResult };

/** Runs setup steps in a checkout up to the first that fails; without any, links the Node packages installed in `root`. */
export async function prepareCheckout<Step extends GateCommand>(
  { system, root, setup }: Pick<BaselineDeps, "system" | "root"> & { setup: readonly Step[] },
  there: GateDeps,
  run = (step: Step) => runGate(there, step),
): Promise<StepResult<Step>[]> {
  if (setup.length === 0) {
    await linkPackages(system, { from: root, to: there.root, paths: await there.paths() });
  }
  const results: StepResult<Step>[] = [];
  for (const step of setup) {
    const result = await run(step);
    results.push({ step, result });
    if (isRed(result)) break;
  }
  return results;
}

export const isRed = ({ status }: Pick<GateResult, "status">) =>
  status !== "passed" && status !== "skipped";

/** Without its tools a gate says nothing about the start tree. */
function notStarted(result: GateResult): GateResult {
  const detail = `setup step failed on the start tree: ${result.detail}`;
  return { ...result, status: "not_started", fingerprints: [], detail };
}

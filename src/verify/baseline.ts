import type { System } from "../system/system.ts";
import type { GateCommand } from "./gate-key.ts";
import { type GateDeps, type GateResult, runGate } from "./gates.ts";
import { linkPackages } from "./link-packages.ts";

/** A tree laid out somewhere to run gates in. Disposing of it removes it. */
export type Checkout = AsyncDisposable & Pick<GateDeps, "root" | "wrap" | "paths">;

export interface BaselineDeps extends GateDeps {
  system: Pick<System, "ask" | "files" | "env">;
  /** `root` may also be the work tree itself, put back to that tree for the time being. */
  openCheckout: (tree: string) => Promise<Checkout>;
  /** `setup` of the configuration: installs what the gates need, which a fresh checkout lacks. */
  setup: readonly GateCommand[];
}

/**
 * Runs a gate on the start tree to tell old failures from new ones (design 4.3). Setup steps run first;
 * without any, installed Node packages of the work tree are linked. `not_started` when it cannot be told.
 */
export async function runBaseline(
  deps: BaselineDeps,
  { gate, tree }: { gate: GateCommand; tree: string },
): Promise<GateResult> {
  await using checkout = await deps.openCheckout(tree);
  const { root, wrap, paths } = checkout;
  const there: GateDeps = { ...deps, root, wrap, paths };
  const failed = root === deps.root ? undefined : await prepare(deps, there);
  return failed ?? (await runGate(there, gate));
}

/** The step that failed, as the gate's result: without its tools a gate says nothing about the start tree. */
async function prepare(deps: BaselineDeps, there: GateDeps): Promise<GateResult | undefined> {
  if (deps.setup.length === 0) {
    await linkPackages(deps.system, {
      from: deps.root,
      to: there.root,
      paths: await there.paths(),
    });
  }
  for (const step of deps.setup) {
    const result = await runGate(there, step);
    if (result.status === "passed" || result.status === "skipped") continue;
    const detail = `setup step failed on the start tree: ${result.detail}`;
    return { ...result, status: "not_started", fingerprints: [], detail };
  }
  return undefined;
}

import type { GateCheckout } from "../../gates/baseline.ts";
import { gateEnvironment } from "../../gates/gate-environment.ts";
import type { GateDeps } from "../../gates/gates.ts";
import { listPaths, listTree } from "../../git/trees/list-paths.ts";
import { checkoutTree } from "../../git/worktree/checkout-tree.ts";
import { callLimits } from "./call-limits.ts";
import type { SessionContext } from "./session-context.ts";

/** The parts of a session its commands need; commands that only read a project have no more. */
export type GatePlace = Pick<
  SessionContext,
  "system" | "repo" | "config" | "shell" | "redact" | "wrap" | "cancel"
>;

/** The parts that gates and setup steps in the work tree use. */
export function gateDepsAt({
  system,
  repo,
  config,
  shell,
  redact,
  wrap,
  cancel,
}: GatePlace): GateDeps {
  const { root, worktree } = repo;
  return {
    supervise: system.supervise,
    shell,
    root,
    env: gateEnvironment(system.env, [...config.gates.env, ...config.sandbox.env]),
    wrap: (program) => wrap(program, { worktree }),
    redact,
    limits: callLimits(config, worktree),
    signal: cancel,
    paths: () => listPaths(repo),
  };
}

/** Checks out a tree in a separate folder; in the sandbox that folder is writable instead of the work tree. */
export async function openCheckout(
  { repo, wrap }: Pick<GatePlace, "repo" | "wrap">,
  place: { tree: string; directory: string },
): Promise<GateCheckout> {
  const checkout = await checkoutTree(repo, place);
  const { root, worktree } = checkout;
  return {
    root,
    wrap: (program) => wrap(program, { worktree }),
    paths: () => listTree(repo, place.tree),
    [Symbol.asyncDispose]: () => checkout[Symbol.asyncDispose](),
  };
}

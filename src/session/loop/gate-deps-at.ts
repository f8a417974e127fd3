import type { GateCheckout } from "../../gates/baseline.ts";
import { gateEnvironment } from "../../gates/gate-environment.ts";
import type { GateDeps } from "../../gates/gates.ts";
import { listPaths, listTree } from "../../git/trees/list-paths.ts";
import { checkoutTree } from "../../git/worktree/checkout-tree.ts";
import type { CallLimits } from "../../platform/system.ts";
import type { ProcessLimits } from "../../sandbox/process-limits.ts";
import type { Config } from "../../schema/config/config.ts";
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

const mebibyte = 1024 ** 2;

/** The limits of all processes of one call together, in the work tree it may write. Pure. */
export function callLimits({ sandbox }: Pick<Config, "sandbox">, folder: string): CallLimits {
  const { processes, memory_mb, disk_mb } = sandbox.limits;
  return {
    processes,
    ...(memory_mb !== null && { memoryBytes: memory_mb * mebibyte }),
    disk: { folder, bytes: disk_mb * mebibyte },
  };
}

/** The kernel's limits of each process in the sandbox. Pure. */
export function processLimits({ sandbox }: Pick<Config, "sandbox">): ProcessLimits {
  const { processes, open_files, disk_mb } = sandbox.limits;
  return { processes, openFiles: open_files, fileBytes: disk_mb * mebibyte };
}

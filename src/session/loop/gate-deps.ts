import { runsCommands } from "../../core/state/task-list-origin.ts";
import type { BaselineDeps, GateCheckout } from "../../gates/baseline.ts";
import type { CriteriaDeps } from "../../gates/criteria.ts";
import { gateEnvironment } from "../../gates/gate-environment.ts";
import type { GateDeps } from "../../gates/gates.ts";
import { listPaths, listTree } from "../../git/trees/list-paths.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { checkoutTree } from "../../git/worktree/checkout-tree.ts";
import type { SessionContext } from "./session-context.ts";

/** The folder of the start tree's checkout, in the session's folder while a baseline runs. */
export const baselineFolder = "baseline";

/** The parts of a session its commands need; commands that only read a project have no more. */
export type GatePlace = Pick<
  SessionContext,
  "system" | "repo" | "config" | "shell" | "redact" | "wrap" | "cancel"
>;

/** The parts of the session that gates, criteria, setup steps and the baseline use. */
export function gateDeps(session: SessionContext): BaselineDeps & CriteriaDeps {
  const { system, repo, config, evidence, folder, journal, sandbox } = session;
  const directory = `${folder}/${baselineFolder}`;
  return {
    ...gateDepsAt(session),
    system,
    readBlob: (tree, path) => readBlob(repo, { treeish: tree, path }),
    keepEvidence: evidence.put,
    commands: runsCommands(journal.state.session, sandbox) ? "run" : "leave",
    openCheckout: (tree) => openCheckout(session, { tree, directory }),
    setup: config.setup,
  };
}

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

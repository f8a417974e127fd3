import { checkoutTree } from "../git/checkout-tree.ts";
import { listPaths, listTree } from "../git/list-paths.ts";
import { readBlob } from "../git/objects.ts";
import type { BaselineDeps, Checkout } from "../verify/baseline.ts";
import type { CriteriaDeps } from "../verify/criteria.ts";
import { gateEnvironment } from "../verify/gate-environment.ts";
import type { Session } from "./session.ts";

/** The start tree's checkout, in the session's folder while a baseline runs. */
export const baselineFolder = "baseline";

/** What gates, criteria, setup steps and the baseline need, made from the session. */
export function gateDeps(session: Session): BaselineDeps & CriteriaDeps {
  const { system, repo, config, evidence, shell, redact, cancel } = session;
  return {
    system,
    supervise: system.supervise,
    shell,
    root: repo.root,
    env: gateEnvironment(system.env, [...config.gates.env, ...config.sandbox.env]),
    wrap: (program) => session.wrap(program, { worktree: repo.worktree }),
    redact,
    signal: cancel,
    paths: () => listPaths(repo),
    readBlob: (tree, path) => readBlob(repo, { treeish: tree, path }),
    keepEvidence: evidence.put,
    openCheckout: (tree) => openCheckout(session, tree),
    setup: config.setup,
  };
}

/** The start tree in a folder of its own; in the sandbox that folder is writable instead of the work tree. */
async function openCheckout(session: Session, tree: string): Promise<Checkout> {
  const { repo, folder } = session;
  const checkout = await checkoutTree(repo, { tree, directory: `${folder}/${baselineFolder}` });
  const { root, worktree } = checkout;
  return {
    root,
    wrap: (program) => session.wrap(program, { worktree }),
    paths: () => listTree(repo, tree),
    [Symbol.asyncDispose]: () => checkout[Symbol.asyncDispose](),
  };
}

import { resolve } from "node:path/posix";
import type { HeadProof } from "../../core/checks/prove.ts";
import { cloneAside } from "../../git/open/clone-aside.ts";
import { readUserRevision } from "../../git/repository/user-head.ts";
import { commitOf } from "../../git/trees/objects.ts";
import { readJournal } from "../../journal/audit.ts";
import { openScratch, sessionIds } from "../../journal/session-store.ts";
import type { System } from "../../platform/system.ts";
import { requireStart } from "../import/require-start.ts";
import { openSide } from "../open/locate-project.ts";
import { sweepStore } from "../open/sweep-leftovers.ts";
import { type ProofRequest, proveClone, proveThere } from "./prove-clone.ts";

/**
 * The clean room (design 5): audits a bundle, then runs the start commit's setup steps, full gates and checkable
 * criteria on its head, in a new clone that no agent could have touched. It needs no agent and no model key, and
 * changes no work tree, branch, session or bundle. Exit 7 when cancelled: neither proved nor refuted.
 */
export async function proveHead(system: System, request: ProofRequest): Promise<HeadProof> {
  const { root, store } = request;
  const bundle = resolve(root, request.bundle);
  const files = system.files(bundle);
  const { state } = await readJournal(files);
  // Too broken for a clone: the audit in the proof names the problem.
  if (!state) return proveClone(system, { ...request, bundle });
  await sweepStore({ root, store });
  await using scratch = await openScratch(system, store);
  await using repo = await openSide(system, { root, store });
  const commit = await requireStart(repo, { state, bundle: files, makeConfig: request.makeConfig });
  const plan = { folder: scratch.folder, commit, without: state.session.branch };
  const clone = await cloneAside(system, repo, plan);
  const isOwn = (await sessionIds(store)).some((id) => store.session(id).root === bundle);
  const given = isOwn ? undefined : await commitOf(repo, await readUserRevision(repo));
  return await proveThere(system, { ...request, root: clone, bundle, given });
}

import { isRed } from "../../gates/baseline.ts";
import { checkCriteria } from "../../gates/criteria.ts";
import { undoChanges } from "../loop/collect-changes.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { checkGates } from "../steps/check-tree.ts";
import { runSetupStep } from "../steps/run-setup-step.ts";

/**
 * Resuming checks again instead of trusting (design 4): the full gates and every checkable criterion run once on the
 * resumed head. A failure ends the session with exit 4 and is named.
 */
export async function recheckHead(session: SessionContext): Promise<void> {
  const { state } = session.journal;
  if (!state.tasks.some(({ state, passedBefore }) => state === "passed" && !passedBefore)) return;
  // The session may continue on another machine, where dependencies are not installed yet.
  if (!(await isSetUp(session))) return;
  const gates = await checkGates(session, state.headTree);
  const failures = [...gates.failures, ...(await failedCriteria(session))];
  await record(session, { type: "recheck_end", commit: state.head, failures });
}

/** False when a setup step failed, which is journaled and ends the session, or when the user cancelled. */
async function isSetUp(session: SessionContext): Promise<boolean> {
  for (const { name } of session.config.setup) {
    await runSetupStep(session, { kind: "setup", name });
    const { setup } = session.journal.state;
    if (session.cancel.aborted || setup.some(isRed)) return false;
  }
  return true;
}

async function failedCriteria(session: SessionContext): Promise<string[]> {
  const { state } = session.journal;
  const tree = state.headTree;
  const failures: string[] = [];
  for (const { task, state: status, passedBefore, base } of state.tasks) {
    if (status !== "passed" || passedBefore || session.cancel.aborted) continue;
    const criteria = task.acceptanceCriteria;
    const results = await checkCriteria(gateDeps(session), { criteria, tree, base });
    const failed = results.filter(({ verdict }) => verdict === "failed");
    failures.push(...failed.map(({ text }) => `${task.id}: ${text}`));
  }
  await undoChanges(session);
  return failures;
}

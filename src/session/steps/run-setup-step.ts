import type { StepOf } from "../../core/decide/step.ts";
import { runGate } from "../../gates/gates.ts";
import { undoChanges } from "../loop/collect-changes.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { setupKey } from "../workers/setup-key.ts";

/**
 * Runs one `setup` step, once per machine and tree (design 4): it is skipped when it has succeeded before for the same
 * files. Its changes to files that git does not ignore are undone; installed dependencies stay.
 */
export async function runSetupStep(
  session: SessionContext,
  { name }: StepOf<"setup">,
): Promise<void> {
  const step = session.config.setup.find((candidate) => candidate.name === name);
  if (!step) throw new Error(`The configuration has no setup step ${name}.`);
  const marker = `setup/${await setupKey(session, step)}`;
  const isDone = (await session.store.stat(marker)) !== undefined;
  const result = isDone ? doneBefore : await runGate(gateDeps(session), step);
  if (session.cancel.aborted) return;
  if (!isDone) await undoChanges(session);
  if (result.status === "passed") await session.store.write(marker, `${name}\n`);
  const { status, ms, output, outputBytes } = result;
  const stored = await session.evidence.put(output, outputBytes);
  await record(session, { type: "setup_end", name, status, ms, output: stored });
}

const doneBefore = {
  status: "skipped" as const,
  ms: 0,
  output: "Done before on this machine for the same files; `ralph clean` forgets that.\n",
  outputBytes: 0,
};

import type { StepOf } from "../../core/decide/step.ts";
import { runGate } from "../../gates/gates.ts";
import { undoChanges } from "../loop/collect-changes.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { recordSetup, setupKey } from "../workers/set-up-worker.ts";

/** Runs a `setup` step, once per machine and files (design 4). Its changes to files git knows are undone. */
export async function runSetupStep(session: SessionContext, { name }: StepOf<"setup">) {
  const step = session.config.setup.find((candidate) => candidate.name === name);
  if (!step) throw new Error(`The configuration has no setup step ${name}.`);
  const marker = `setup/${await setupKey(session, step)}`;
  const isDone = (await session.store.stat(marker)) !== undefined;
  const result = isDone ? doneBefore : await runGate(gateDeps(session), step);
  if (session.cancel.aborted) return;
  if (!isDone) await undoChanges(session);
  if (result.status === "passed") await session.store.write(marker, `${name}\n`);
  await recordSetup(session, name, result);
}

const doneBefore = {
  status: "skipped" as const,
  ms: 0,
  output: "Done before on this machine for the same files; `ralph clean` forgets that.\n",
  outputBytes: 0,
};

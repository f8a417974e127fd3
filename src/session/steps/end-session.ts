import { uncommittedPass } from "../../core/state/session-state.ts";
import { writePack } from "../../git/commits/bundle.ts";
import { bundledObjects, packFile } from "../bundle/bundled-objects.ts";
import { record, type SessionContext, updateViews } from "../loop/session-context.ts";
import type { StepOf } from "../loop/step-of.ts";
import { closeWorkers } from "../workers/workers.ts";
import { keepRunning, returnToHead } from "./keep-work.ts";
import { commitPass } from "./pass-task.ts";

/** The end of every session: keeps interrupted work, restores the work tree and completes the bundle. */
export async function endSession(session: SessionContext, step: StepOf<"end">): Promise<void> {
  const { journal, repo, folder } = session;
  const passed = uncommittedPass(journal.state);
  // Without resuming this session, its work would be found nowhere else.
  if (passed) await commitPass(session, { kind: "commit", task: passed.task.id });
  await keepRunning(session);
  const { reason, message } = step;
  await record(session, { type: "session_end", reason, message }, { durable: true });
  await updateViews(session);
  await returnToHead(session);
  const objects = await bundledObjects(session.system.files(folder), journal.state);
  await writePack(repo, { file: `${folder}/${packFile}`, ...objects });
  if (session.workers.size > 0) await closeWorkers(session);
}

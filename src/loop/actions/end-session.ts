import { writePack } from "../../git/bundle.ts";
import { keepTree } from "../../git/keep-tree.ts";
import { bundledObjects } from "../bundled-objects.ts";
import { packFile } from "../import-bundle.ts";
import { record, type Session, updateViews } from "../session.ts";
import type { StepOf } from "../step-of.ts";
import { returnToHead, snapshotWork } from "./keep-work.ts";

/** The session's one end: interrupted work is kept, the work tree put back, the bundle made complete. */
export async function endSession(session: Session, step: StepOf<"end">): Promise<void> {
  const { journal, repo } = session;
  const running = journal.run.tasks.find(({ state }) => state === "running");
  if (running) {
    const tree = await snapshotWork(session);
    if (tree !== journal.run.headTree) {
      await record(session, { type: "work_kept", task: running.task.id, tree }, { durable: true });
      await keepTree(repo, tree);
    }
  }
  const { reason, message } = step;
  await record(session, { type: "session_end", reason, message }, { durable: true });
  await updateViews(session);
  await returnToHead(session);
  await writePack(repo, {
    file: `${session.folder}/${packFile}`,
    ...bundledObjects(journal.run),
  });
}

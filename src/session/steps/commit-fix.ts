import { type EndedRepair, uncommittedRepair } from "../../core/state/repairs.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { headOfFailure } from "../../core/verify/judge-verification.ts";
import { escapeCommitText } from "../../text/escape-markdown.ts";
import { plainLine } from "../../text/plain-text.ts";
import { record, type SessionContext, updateViews } from "../loop/session-context.ts";
import { commitOnHead, showCommit } from "./pass-task.ts";

/** Makes the commit of a journaled repair from its fields alone, so that repeating it gives the same id (F08). */
export function commitFix(session: SessionContext): Promise<void> {
  return session.turns.project(async () => {
    const { state } = session.journal;
    const repair = uncommittedRepair(state);
    if (!repair) throw new Error("No repair is to be committed.");
    const { commit, tree } = await commitOnHead(session, {
      tree: repair.tree,
      paths: [],
      message: fixMessage(state, repair),
      date: repair.at,
    });
    await record(session, { type: "fix_committed", commit, tree }, { durable: true });
    await showCommit(session);
    await updateViews(session);
  });
}

const maxSubject = 100;

/** `fix: what failed`, how it was found, and trailers that name the repair, the session and the journal line. */
export function fixMessage({ session }: SessionState, repair: EndedRepair): string {
  const { phase, iteration, failure, detail, anchor } = repair;
  const line = (text: string, max?: number) => escapeCommitText(plainLine(text, max));
  const trailers = [
    `Ralph-Fix: ${phase} ${iteration}`,
    `Ralph-Session: ${session.session_id}`,
    `Ralph-Journal: ${anchor}`,
  ];
  return [
    `fix: ${line(headOfFailure(failure), maxSubject)}`,
    `Found by the verification after the last task (${phase}). With this change: ${line(detail, 400)}`,
    `${trailers.join("\n")}\n`,
  ].join("\n\n");
}

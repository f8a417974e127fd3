import type { Role } from "../../core/state/roles.ts";
import { readUserGit, restoreUserGit, type UserGitChanges } from "../../git/worktree/user-git.ts";
import type { RefChange } from "../../git/worktree/user-refs.ts";
import { plainLine } from "../../text/plain-text.ts";
import { type CollectedChanges, collectChanges } from "./collect-changes.ts";
import { guardAgentSettings } from "./guard-agent-settings.ts";
import { record, reportTampering, type SessionContext, updateViews } from "./session-context.ts";

/** Lets an agent work, puts back what it may not change, and collects the rest. */
export async function collectWork<Answer>(
  session: SessionContext,
  start: { role: Role; tree: string },
  work: () => Promise<Answer>,
): Promise<{ answer: Answer; changes: CollectedChanges; startedAt: number }> {
  await updateViews(session);
  const startedAt = session.system.clock.now();
  const putBackGit = await guardUserGit(session);
  const putBackSettings = await guardAgentSettings(session, start.tree);
  const answer = await work();
  await putBackGit();
  await reportTampering(session);
  const collected = await collectChanges(session, start);
  const refused = [...collected.refused, ...(await putBackSettings())];
  return { answer, changes: { ...collected, refused }, startedAt };
}

/** Without a sandbox: reads the user's git before an agent's call. The answer puts it back and records what was changed (T41). */
async function guardUserGit(session: SessionContext): Promise<() => Promise<void>> {
  if (session.sandbox !== "off") return async () => {};
  const { repo, callsOnGit: calls } = session.worker?.main ?? session;
  const { branch } = session.journal.state.session;
  calls.before ??= readUserGit(repo, { branch, known: calls.known });
  calls.open += 1;
  const before = await calls.before;
  return async () => {
    const changes = await restoreUserGit(repo, { before, branch });
    calls.open -= 1;
    calls.known = changes.after;
    if (calls.open === 0) calls.before = undefined;
    for (const message of describe(changes)) await record(session, { type: "warning", message });
  };
}

function describe({ files, refs }: UserGitChanges): string[] {
  const paths = files.map((path) => `.git/${plainLine(path)}`);
  const restored =
    paths.length > 0 ? [`Put back, changed during an agent's call: ${paths.join(", ")}`] : [];
  return [...restored, ...refs.map(describeRef)];
}

/** With the command that makes the other choice: a person may have changed it too. */
function describeRef({ name, before, after, isRestored }: RefChange): string {
  const shown = plainLine(name);
  const command = (id: string | undefined) =>
    id ? `git update-ref ${shown} ${id}` : `git update-ref -d ${shown}`;
  return isRestored
    ? `Put back, changed during an agent's call: ${shown}. If that was you: \`${command(after)}\``
    : `${shown} changed during an agent's call. If that was not you: \`${command(before)}\``;
}

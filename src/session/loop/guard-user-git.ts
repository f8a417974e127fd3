import { readUserGit, restoreUserGit, type UserGitChanges } from "../../git/worktree/user-git.ts";
import type { RefChange } from "../../git/worktree/user-refs.ts";
import { plainLine } from "../../text/plain-text.ts";
import { record, type SessionContext } from "./session-context.ts";

/**
 * Without a sandbox: reads the settings, hooks, branches and tags of the user's git before an agent's call. The answer
 * puts them back after it and records what was changed (T41). In the sandbox git is read-only.
 */
export async function guardUserGit(session: SessionContext): Promise<() => Promise<void>> {
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

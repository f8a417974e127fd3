import { readUserGit, restoreUserGit, type UserGitChanges } from "../../git/worktree/user-git.ts";
import { plainLine } from "../../text/plain-text.ts";
import { record, type SessionContext } from "./session-context.ts";

/**
 * Without a sandbox: reads the settings, hooks, branches and tags of the user's git before an agent's call. The answer
 * puts settings and hooks back after it and records what was changed (T41). In the sandbox git is read-only.
 */
export async function guardUserGit(session: SessionContext): Promise<() => Promise<void>> {
  if (session.sandbox !== "off") return async () => {};
  const { repo } = session.worker?.main ?? session;
  const { branch } = session.journal.state.session;
  const before = await readUserGit(repo, branch);
  return async () => {
    const changes = await restoreUserGit(repo, { before, branch });
    for (const message of describe(changes)) await record(session, { type: "warning", message });
  };
}

function describe({ files, refs }: UserGitChanges): string[] {
  const paths = files.map((path) => `.git/${plainLine(path)}`);
  const restored =
    paths.length > 0 ? [`Put back, changed during an agent's call: ${paths.join(", ")}`] : [];
  const moved = refs.map(({ name, before }) => {
    const shown = plainLine(name);
    const undo = before ? `git update-ref ${shown} ${before}` : `git update-ref -d ${shown}`;
    return `${shown} changed during an agent's call. If that was not you: \`${undo}\``;
  });
  return [...restored, ...moved];
}

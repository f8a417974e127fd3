import { pathMatcher } from "../../core/checks/path-pattern.ts";
import { steeringNames } from "../../core/checks/protection.ts";
import { trackedAmong } from "../../git/trees/list-paths.ts";
import { toProjectPath, toTreePath } from "../../git/trees/tree-path.ts";
import { isSessionFile } from "../../git/worktree/session-exclude.ts";
import { firstOf } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { protectionOf } from "./collect-changes.ts";
import { record, type SessionContext } from "./session-context.ts";
import { watchFiles } from "./watch-files.ts";

/**
 * Watches the files that steer agents, editors and git at the root of the project. Git may ignore them (`.husky/_`,
 * `.claude/settings.local.json`), so no snapshot holds them, and a changed one would run at the user's next call or commit. The
 * answer puts them back once all other changes were, and names those that were changed (T08, T51). `tree` is the snapshot from
 * which files that git knows are put back.
 */
export async function guardAgentSettings(
  session: SessionContext,
  tree: string,
): Promise<() => Promise<string[]>> {
  const { prefix, system, worktree } = session.repo;
  const { agentFiles, allow } = protectionOf(session);
  // An open editor of that kind rewrites its folder at any time.
  const watched = steeringNames(agentFiles).filter((name) => name !== ".idea");
  const names = watched.flatMap((name) => [name, `${prefix}${name}`]);
  const shown = (path: string) => toProjectPath(prefix, path);
  const isAllowed = pathMatcher(allow);
  const putBack = await watchFiles(system.files(worktree), {
    places: [...new Set(names)],
    // Ralph itself writes some during the call, such as `.claude/ralph`.
    isWatched: (path) => !isSessionFile(shown(path)) && !isAllowed(shown(path)),
    listInGit: async () => {
      const found = await trackedAmong(session.repo, tree, names.map(shown));
      return new Set(found.map((path) => toTreePath(prefix, path)));
    },
  });
  return async () => {
    const { changed, lost } = await putBack();
    if (lost.length > 0) {
      const message = describeLost(lost.map(shown));
      await record(session, { type: "warning", message });
    }
    return changed.map(shown);
  };
}

const describeLost = (paths: readonly string[]) =>
  `Removed, because an agent changed what was too large or too much to be kept: ${firstOf(paths.map(plainLine), 10)}`;

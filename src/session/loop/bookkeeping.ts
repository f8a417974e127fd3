import type { SessionState } from "../../core/state/session-state.ts";
import { dialectDocumentPaths, dialectDocuments } from "../../dialects/dialects.ts";
import type { Config } from "../../schema/config/config.ts";

/** The files of the repository that ralph writes and commits with each pass (design 4.6). */
export function bookkeepingPaths(config: Config, state: SessionState): string[] {
  const own = documentPaths(config, state.session.source.path);
  return [...own, ...dialectDocumentPaths(config, state)];
}

/** Those of a commit: of documents that say more between two passes, only the ones that the newest pass changes. */
export function committedPaths(config: Config, state: SessionState): string[] {
  const own = documentPaths(config, state.session.source.path);
  return [...own, ...dialectDocuments(config, state).map(({ path }) => path(state))];
}

/** The same for a task list without a session. */
export function documentPaths({ autopilot }: Config, tasks: string): string[] {
  return [tasks, autopilot.memory.progress, "AGENTS.md", ".ralph/guardrails.md"];
}

import { join } from "node:path/posix";
import type { Config } from "../../schema/config/config.ts";
import type { SessionState, TaskState } from "../state/session-state.ts";

/**
 * The files of Agent Teams that the tasks of a list came from, by task id: those a session writes the status back to when
 * the configuration emits that dialect (specs 003). Nothing leads out of the project or into files that are no tasks.
 */
export function teamTaskFiles(
  { compat }: Pick<Config, "compat">,
  { session }: Pick<SessionState, "session">,
): ReadonlyMap<string, string> {
  const origin = session.list_origin;
  if (!origin || !compat.emit.includes("agent-teams")) return new Map();
  const files = Object.entries(origin.ids).filter(
    ([, file]) => file.endsWith(".code-task.md") && ![origin.path, file].some(leadsOut),
  );
  return new Map(files.map(([id, file]) => [id, join(origin.path, file)]));
}

const leadsOut = (path: string) => path.startsWith("/") || path.split("/").includes("..");

/** Who works on a task, or did, as a team names its members. */
export const workerOf = ({ claimed }: Pick<TaskState, "claimed">): string =>
  claimed?.worker ?? "agent-1";

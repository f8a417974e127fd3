import * as z from "zod";
import { parseCriterion } from "../../schema/tasks/criterion.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import type { SessionState } from "./session-state.ts";

type Session = Pick<SessionState["session"], "list_author">;
type Origin = Pick<SessionState["session"], "list_origin">;

/** Whether a model wrote the task list: no person intended its commands. */
export const authorOf = ({ metadata }: Pick<Prd, "metadata">): Session =>
  metadata?.source === "autopilot" ? { list_author: "model" } : {};

const Imported = z.object({
  sourceFile: z.string().min(1),
  idMap: z.record(z.string(), z.string()),
});

/** The origin of an imported list, for writing results back; empty for other lists. */
export function listOriginOf({ metadata }: Pick<Prd, "metadata">): Origin {
  const { data } = Imported.safeParse(metadata);
  return data ? { list_origin: { path: data.sourceFile, ids: data.idMap } } : {};
}

/** Whether criteria that are commands run: those of a model only in the sandbox (design 4.4), else the reviewer judges them. */
export const runsCommands = (
  session: Session,
  sandbox: SessionState["session"]["sandbox"],
): boolean => session.list_author !== "model" || sandbox !== "off";

/** A warning about commands that will not run; undefined when there are none. */
export function commandsLeft({ session, tasks }: SessionState): string | undefined {
  if (runsCommands(session, session.sandbox)) return undefined;
  const units = tasks.flatMap(({ task }) => [task, ...(task.subtasks ?? [])]);
  const criteria = units.flatMap(({ acceptanceCriteria }) => acceptanceCriteria);
  const count = criteria.filter((text) => parseCriterion(text).kind === "command").length;
  if (count === 0) return undefined;
  return `A model wrote the task list, and there is no sandbox: ${count === 1 ? "the command among its criteria is" : `the ${count} commands among its criteria are`} not run; the reviewer judges ${count === 1 ? "it" : "them"}.`;
}

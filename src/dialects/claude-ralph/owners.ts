import { SessionId } from "../../schema/base/identity.ts";
import { sessionIn } from "./agent-states.ts";
import type { ClaudeRalphPlan } from "./plans.ts";

/** The session of ralph that the plan's agents name. */
export const sessionOf = ({ agents }: Pick<ClaudeRalphPlan, "agents">): string | undefined =>
  agents
    .map(({ data }) => sessionIn(data))
    .find((session) => session !== undefined && SessionId.safeParse(session).success);

/** The claims of agents that left no state of a ralph session. */
export function claimsOfOthers({ queue, agents }: ClaudeRalphPlan) {
  const own = new Set(
    agents.flatMap(({ data }) => (sessionIn(data) === undefined ? [] : [data.agent_id])),
  );
  return (queue?.data.tasks ?? []).filter(
    ({ status, claimed_by }) => status === "claimed" && !own.has(claimed_by ?? ""),
  );
}

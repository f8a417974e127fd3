import type { ServiceEnv, Services } from "../../schema/config/services.ts";
import { parseCriterion } from "../../schema/tasks/criterion.ts";
import type { SessionState } from "../state/session-state.ts";
import { planServices } from "./plan-services.ts";
import type { VerifyPlan } from "./verify-plan.ts";

/** Before anything is paid for: criteria that no service can answer, and commands that fit badly. Pure. */
export function serviceWarnings(
  { tasks }: SessionState,
  services: Services,
  { env, verify }: { env: ServiceEnv; verify?: VerifyPlan | undefined },
): string[] {
  const needing = tasks.filter(({ task, state }) => state !== "passed" && needsServices(task));
  const starts = needing.length > 0 || verify?.startsServices === true;
  if (starts && Object.keys(services).length > 0) return planServices(services, env).warnings;
  if (needing.length === 0) return [];
  const ids = needing.map(({ task }) => task.id).join(", ");
  return [
    `No services are configured, so the API and browser criteria of ${ids} are not executed; the reviewer judges them.`,
  ];
}

function needsServices({
  acceptanceCriteria,
  subtasks = [],
}: SessionState["tasks"][number]["task"]): boolean {
  const criteria = [acceptanceCriteria, ...subtasks.map((each) => each.acceptanceCriteria)].flat();
  return criteria.some((text) => /^(?:api|browser)$/.test(parseCriterion(text).kind));
}

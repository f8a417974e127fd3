import type { Config } from "../../src/schema/config/config.ts";
import type { WorkRequest } from "../../src/schema/work-request.ts";
import { counted, dollars } from "../../src/text/figures.ts";
import type { DispatchedRun } from "./dispatched-run.ts";
import type { OrganizationFacts } from "./organization-facts.ts";

/** `waiting`: the run is retried once there is room. */
export type StartVerdict = { kind: "start" } | { kind: "waiting" | "refused"; reason: string };

export interface StartFacts {
  config: Config;
  /** Runs of the repository that started on this day (UTC). */
  startedToday: readonly DispatchedRun[];
  /** Cost of all runs on this day, US dollars. */
  spentToday: number;
  /** Open ralph pull requests, and runs that will open one. */
  openPulls: number;
  isPaused: boolean;
  /** The pull request of this last run was closed without a merge. */
  isRejected: boolean;
  /** The text has changed since the request. */
  isEdited: boolean;
  isClosed: boolean;
  /** The owner's settings for all repositories. */
  organization?: OrganizationFacts | undefined;
}

type HoldFacts = Pick<StartFacts, "config" | "isPaused" | "spentToday">;

/** Why not even a session that has begun may continue now; undefined if it may. Pure. */
export function holdReason({ config, isPaused, spentToday }: HoldFacts): string | undefined {
  if (isPaused) return "ralph is paused in this repository. It continues after `/ralph resume`.";
  const { budget_usd_per_day: budget } = config.limits;
  if (budget === null || spentToday < budget) return undefined;
  return `${dollars(spentToday)} was spent today, and \`limits.budget_usd_per_day\` is ${budget}. It continues tomorrow (UTC).`;
}

/** Why nothing may start or continue in any repository of the owner now; undefined if it may. Pure. */
export function ownerHoldReason({
  name,
  isPaused,
  limits: { budget_usd_per_day: budget },
  today,
}: OrganizationFacts): string | undefined {
  if (isPaused) {
    return `ralph is paused in all repositories of this owner. It continues after \`/ralph resume\` in ${name}, or without \`paused\` in its \`.ralph/organization.yml\`.`;
  }
  if (budget === undefined || today.usd < budget) return undefined;
  return `${dollars(today.usd)} was spent today in all repositories, and \`limits.budget_usd_per_day\` in ${name} is ${budget}. It continues tomorrow (UTC).`;
}

/** Why a limit for all repositories of the owner leaves no room. */
function ownerFullReason(organization: OrganizationFacts): string | undefined {
  const { name, limits, today } = organization;
  const held = ownerHoldReason(organization);
  if (held !== undefined) return held;
  const most = limits.runs_per_day;
  if (most === undefined || today.runs < most) return undefined;
  return `${counted(today.runs, "run")} started today in all repositories, and \`limits.runs_per_day\` in ${name} is ${most}. It continues tomorrow (UTC).`;
}

const unlisted = (name: string) =>
  `Nothing was started: \`repositories\` in \`.ralph/organization.yml\` of ${name} leaves this repository out.`;

/** Whether a run may begin now by the configuration and its limits. Pure. */
export function judgeStart(
  { overridesRejection }: Pick<WorkRequest, "overridesRejection">,
  facts: StartFacts,
): StartVerdict {
  const { organization } = facts;
  if (facts.isEdited) return { kind: "refused", reason: edited };
  if (organization?.isListed === false) {
    return { kind: "refused", reason: unlisted(organization.name) };
  }
  const held = holdReason(facts);
  if (held !== undefined && facts.isPaused) return { kind: "waiting", reason: held };
  const refused = overridesRejection ? undefined : uncommandedRefusal(facts);
  if (refused !== undefined) return { kind: "refused", reason: refused };
  const full = (organization && ownerFullReason(organization)) ?? fullReason(facts, held);
  return full === undefined ? { kind: "start" } : { kind: "waiting", reason: full };
}

/** Why a request is refused that no person commanded. */
function uncommandedRefusal({ config, isRejected, isClosed }: StartFacts): string | undefined {
  if (isClosed) return closed;
  if (!config.autopilot.enabled) {
    return "`autopilot.enabled` is false in `.ralph/ralph.yml`, so labels, reports and schedules start nothing. The comment `/ralph run` still does.";
  }
  if (!isRejected) return undefined;
  return "The last pull request for this issue was closed without a merge, so labels do not start it again. Describe in the issue what should be different, then write `/ralph run`.";
}

/** Which limit leaves no room; `held` is the reason that also holds sessions that have begun. */
function fullReason(
  { config: { limits }, startedToday, openPulls }: StartFacts,
  held: string | undefined,
): string | undefined {
  if (startedToday.length >= limits.runs_per_day) {
    return `${counted(startedToday.length, "run")} started today, and \`limits.runs_per_day\` is ${limits.runs_per_day}. It continues tomorrow (UTC).`;
  }
  if (held !== undefined || openPulls < limits.open_prs) return held;
  return `${counted(openPulls, "ralph pull request")} ${openPulls === 1 ? "is" : "are"} open or on the way, and \`limits.open_prs\` is ${limits.open_prs}. It continues when one is merged or closed.`;
}

const edited =
  "The issue was edited after the request, so nothing was started. Read it again; if it is still what you want, set the label or write the command once more.";

const closed =
  "The issue was closed before the run began, so nothing was started. To run it anyway, write `/ralph run`.";

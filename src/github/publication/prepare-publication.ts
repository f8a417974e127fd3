import { sessionBudget } from "../../core/decide/budget.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { type Reading, readJournal } from "../../journal/audit.ts";
import { secretValues } from "../../platform/secrets/secret-values.ts";
import type { System } from "../../platform/system.ts";
import { planHead } from "../../schema/autopilot/plan.ts";
import type { Config } from "../../schema/config/config.ts";
import { bundledPlanOf, readBundledPlan } from "../../session/bundle/bundled-objects.ts";
import type { LocatedProject } from "../../session/open/locate-project.ts";
import { shortCommit } from "../../text/figures.ts";
import { renderPlanBody } from "../../views/pull-request/plan-body.ts";
import type { PullBody } from "../../views/pull-request/pull-body.ts";
import type { PullMarker } from "../../views/pull-request/pull-marker.ts";
import { choosePictures } from "../../views/pull-request/pull-pictures.ts";
import type { CleanRoom } from "../../views/pull-request/pull-proof.ts";
import { pullValues, renderPullTitle } from "../../views/pull-request/pull-template.ts";
import { readLearnings, writesLearnings } from "../../views/summary/completion-report.ts";
import { summarize } from "../../views/summary/summary.ts";
import { requireSound, takePack } from "../verify/audit-bundle.ts";
import { checkCommits, ownCommits } from "../verify/check-commits.ts";
import type { FirewallViolation } from "../verify/firewall.ts";
import { readLowValueReason } from "../verify/low-value-change.ts";
import { readPlanStart, readTrustedStart, type TrustedStart } from "../verify/trusted-start.ts";
import type { PlanPublishRequest, Publication, PublishRequest } from "./publish-request.ts";

/** A publication that passed every check; nothing has been pushed yet. */
export interface PublicationDraft {
  kind: "session" | "plan";
  start: TrustedStart;
  /** Its commits, oldest first; empty: there is nothing to publish. */
  own: readonly string[];
  head: string;
  flagged: readonly FirewallViolation[];
  marker: PullMarker;
  /** As in the origin of the request. */
  overridesRejection: boolean | undefined;
  title: string;
}

/** The draft of a session; also the content of its pull request, except the status of the base branch. */
export interface SessionDraft extends PublicationDraft, PullBody {
  kind: "session";
  flagged: readonly FirewallViolation[];
  state: SessionState;
  /** Why no reviewer would want the result; undefined: it is worth a pull request. */
  lowValueReason: string | undefined;
}

/** The draft of an autopilot run's document; `body` is the text of its pull request. */
export interface PlanDraft extends PublicationDraft {
  kind: "plan";
  body: string;
}

/** Audits a session's bundle, checks its commits with the firewall and writes the pull request's text. Changes nothing. */
export async function prepareSession(
  system: System,
  { repo, place, request }: { repo: Repository; place: LocatedProject; request: PublishRequest },
): Promise<SessionDraft> {
  const { bundle, trust, origin } = request;
  const reading = await readJournal(system.files(bundle));
  const { state, moments, broken = "its journal is empty" } = reading;
  if (!state) {
    throw new RalphError("source", {
      message: `${bundle} is not the bundle of a session: ${broken.replace(/\.$/, "")}.`,
      remedy:
        "Give the folder of a session artifact, with journal.jsonl, evidence and objects.pack.",
    });
  }
  const { head } = state;
  const plan = await bundledPlanOf(system.files(bundle), state);
  const start = plan
    ? await readPlanStart(repo, { plan, bundle }, trust)
    : await readTrustedStart(repo, state, trust);
  await requireSound(system, { place, bundle, makeConfig: trust.makeConfig });
  await takePack(repo, state, bundle);
  const hasWork = head !== state.session.start.commit;
  const own = hasWork ? await ownCommits(repo, { from: start.commit, to: head }) : [];
  const secrets = unpublishableSecrets(system, request);
  const flagged = await checkCommits(repo, { commits: own, start, moments, secrets });
  const lowValueReason =
    own.length > 0 ? await readLowValueReason(repo, { start, head }) : undefined;
  const content = pullContent({ state, config: start.config, reading }, request);
  const values = pullValues(content.summary, content.requested);
  const title = renderPullTitle(start.config.pr.title_template, values);
  const { overridesRejection } = origin ?? {};
  const checked = { state, start, own, head, flagged, lowValueReason };
  return { kind: "session", ...checked, overridesRejection, title, ...content };
}

/** The same for the bundle of an autopilot run without a session. */
export async function preparePlan(
  system: System,
  { repo, request }: { repo: Repository; request: PlanPublishRequest },
): Promise<PlanDraft> {
  const { bundle, trust, origin } = request;
  const plan = await readBundledPlan(system.files(bundle));
  if (!plan) {
    throw new RalphError("source", {
      message: `${bundle} is not the bundle of an autopilot run.`,
      remedy: "Give the folder of an artifact with autopilot.json and objects.pack.",
    });
  }
  const start = await readPlanStart(repo, { plan, bundle }, trust);
  const own = start.plan?.commits ?? [];
  const secrets = unpublishableSecrets(system, request);
  const flagged = await checkCommits(repo, { commits: own, start, moments: [], secrets });
  const { marker, overridesRejection, requested } = origin;
  const values = pullValues({ tasks: [], tasks_completed: 0, tasks_total: 0 }, requested);
  return {
    ...{ kind: "plan", start, own, flagged, marker, overridesRejection },
    head: planHead(plan) ?? plan.base,
    title: renderPullTitle(start.config.pr.title_template, values),
    body: renderPlanBody({ ...origin, document: plan.document?.path }),
  };
}

/** Values that must not be published: secrets of this process, and those of the request. */
export function unpublishableSecrets(
  { env }: Pick<System, "env">,
  { remote, secrets = [] }: Pick<Publication, "remote" | "secrets">,
): string[] {
  return [...secretValues(env), ...secrets, ...(remote.token ? [remote.token] : [])];
}

type CheckedSession = { state: SessionState; config: Config; reading: Reading };

function pullContent({ state, config, reading }: CheckedSession, request: PublishRequest) {
  const { origin } = request;
  const { session_id: run, project, description } = state.session;
  const [first = ""] = description.trim().split("\n", 1);
  const mode = config.memory.learnings;
  // A learning that AGENTS.md already holds is not offered.
  const learnings = mode === "off" || writesLearnings(mode, state) ? [] : readLearnings(state);
  const events = reading.moments.map(({ event }) => event);
  return {
    ...{ learnings, issue: origin?.issue, trace: origin?.trace, runUrl: request.job?.url },
    summary: summarize(state, events),
    // Without an autopilot run, the task list describes the requested work.
    requested: origin?.requested ?? { priority_item: first || project, description },
    marker: origin?.marker ?? { run },
    bodyTemplate: config.pr.body_template,
    cleanRoom: cleanRoomOf(request, { head: state.head, journal: reading.digest }),
    budgetUsd: sessionBudget(state, config.limits.budget_usd),
    hasPictures: choosePictures(state).length > 0,
    journal: reading.digest,
  };
}

/** The clean room is another job; without its result, only its success is known here. A local check is for the head it names. */
function cleanRoomOf(
  { proof, proved }: PublishRequest,
  { head, journal }: { head: string; journal: string | undefined },
): CleanRoom {
  if (proof !== "clean_room") {
    return proved?.head === head ? { ...proved, isLocal: true } : undefined;
  }
  if (!proved) return { kind: "proved", gates: [], criteria: [], problems: [] };
  if (proved.head === head && proved.journal === journal) return proved;
  throw new RalphError("source", {
    message: `The clean room proved ${shortCommit(proved.head)} with the journal ${proved.journal}, but this session is at ${shortCommit(head)} with ${journal}.`,
    remedy:
      "Start the whole workflow again, so that this session is proved before it is published.",
  });
}

import { sessionBudget } from "../../core/decide/budget.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { type Reading, readJournal } from "../../journal/audit.ts";
import { secretValues } from "../../platform/secrets/secret-values.ts";
import type { System } from "../../platform/system.ts";
import { bundledPlanOf } from "../../session/bundle/bundled-plan.ts";
import type { LocatedProject } from "../../session/open/locate-project.ts";
import type { PullBody } from "../../views/pull-request/pull-body.ts";
import type { PullMarker } from "../../views/pull-request/pull-marker.ts";
import type { CleanRoom } from "../../views/pull-request/pull-proof.ts";
import {
  pullValues,
  type RequestedWork,
  renderPullTitle,
} from "../../views/pull-request/pull-template.ts";
import { type Summary, summarize } from "../../views/summary/summary.ts";
import { requireSound, takePack } from "../verify/audit-bundle.ts";
import { checkCommits, ownCommits } from "../verify/check-commits.ts";
import type { FirewallViolation } from "../verify/firewall.ts";
import { readPlanStart } from "../verify/plan-start.ts";
import { readLowValueReason } from "../verify/read-low-value-reason.ts";
import { readTrustedStart, type TrustedStart } from "../verify/trusted-start.ts";
import type { Publication, PublishRequest } from "./publish-request.ts";

/** A session as its publisher tells it: what was checked, and the words for it. */
export interface SessionDraft {
  state: SessionState;
  start: TrustedStart;
  summary: Summary;
  /** The session's commits, oldest first. */
  own: readonly string[];
  flagged: readonly FirewallViolation[];
  /** Why nobody would review what it came to; undefined: somebody may. */
  lowValueReason: string | undefined;
  marker: PullMarker;
  /** As of the run behind it. */
  again: boolean | undefined;
  title: string;
  /** All its pull request tells, but for how it stands to the base branch. */
  told: PullBody;
}

type Told = { repo: Repository; place: LocatedProject; request: PublishRequest };

/** Audits a bundle, holds its commits against the firewall and writes what is said about it. It changes nothing. */
export async function preparePublication(
  system: System,
  { repo, place, request }: Told,
): Promise<SessionDraft> {
  const { bundle, trust } = request;
  const reading = await readJournal(system.files(bundle));
  const { state, moments } = reading;
  if (!state) throw noBundle(bundle, reading.broken);
  const plan = await bundledPlanOf(system.files(bundle), state);
  const start = plan
    ? await readPlanStart(repo, { plan, bundle }, trust)
    : await readTrustedStart(repo, state, trust);
  await requireSound(system, { place, bundle, makeConfig: trust.makeConfig });
  await takePack(repo, state, bundle);
  const hasWork = state.head !== state.session.start.commit;
  const own = hasWork ? await ownCommits(repo, { from: start.commit, to: state.head }) : [];
  const secrets = unpublishableSecrets(system, request);
  const flagged = await checkCommits(repo, { commits: own, start, moments, secrets });
  const lowValueReason =
    own.length > 0 ? await readLowValueReason(repo, { start, head: state.head }) : undefined;
  const words = wordsFor({ state, start, flagged, reading }, request);
  return { state, start, own, flagged, lowValueReason, ...words };
}

function noBundle(bundle: string, because = "its journal is empty"): RalphError {
  return new RalphError("source", {
    message: `${bundle} is not a bundle of ours: ${because.replace(/\.$/, "")}.`,
    remedy: "Give the folder of a session artifact, with journal.jsonl, evidence and objects.pack.",
  });
}

/** What nobody may publish: the secrets of this process, and those of the door. */
export function unpublishableSecrets(
  { env }: Pick<System, "env">,
  { remote, secrets = [] }: Pick<Publication, "remote" | "secrets">,
): string[] {
  return [...secretValues(env), ...secrets, ...(remote.token ? [remote.token] : [])];
}

type Checked = Pick<SessionDraft, "state" | "start" | "flagged"> & { reading: Reading };

function wordsFor(
  { state, start: { config }, flagged, reading }: Checked,
  request: PublishRequest,
) {
  const { origin } = request;
  const events = reading.moments.map(({ event }) => event);
  const summary = summarize(state, events);
  const asked = origin?.requested ?? askedBy(state);
  const marker = origin?.marker ?? { run: state.session.session_id };
  const told: PullBody = {
    summary,
    requested: asked,
    marker,
    bodyTemplate: config.pr.body_template,
    cleanRoom: cleanRoomOf(request, { head: state.head, journal: reading.digest }),
    budgetUsd: sessionBudget(state, config.limits.budget_usd),
    issue: origin?.issue,
    trace: origin?.trace,
    flagged,
    journal: reading.digest,
  };
  const title = renderPullTitle(config.pr.title_template, pullValues(summary, asked));
  return { summary, marker, again: origin?.again, title, told };
}

type Head = { head: string; journal: string | undefined };

/** The clean room was another job: where that has handed nothing over, what is known here is that it was green. */
function cleanRoomOf({ proof, proved }: PublishRequest, { head, journal }: Head): CleanRoom {
  if (proof !== "clean_room") return undefined;
  if (!proved) return { kind: "proved", gates: [], criteria: [], problems: [] };
  if (proved.head === head && proved.journal === journal) return proved;
  throw new RalphError("source", {
    message: `The clean room proved ${proved.head.slice(0, 12)} with the journal ${proved.journal}, and this session is at ${head.slice(0, 12)} with ${journal}.`,
    remedy: "Prove this session again, then publish it: start the whole workflow again.",
  });
}

/** A plain run was asked for by its task list. */
function askedBy({ session: { project, description } }: SessionState): RequestedWork {
  const [first = ""] = description.trim().split("\n", 1);
  return { priority_item: first || project, description };
}

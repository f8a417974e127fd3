import { RalphError } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { isAncestor } from "../../git/trees/objects.ts";
import type { System } from "../../platform/system.ts";
import { type AutopilotPlan, planHead } from "../../schema/autopilot/plan.ts";
import { readBundledPlan } from "../../session/bundle/bundled-plan.ts";
import { locateProject } from "../../session/open/locate-project.ts";
import { openSide } from "../../session/open/open-side.ts";
import { renderPlanBody } from "../../views/pull-request/plan-body.ts";
import { pullValues, renderPullTitle } from "../../views/pull-request/pull-template.ts";
import type { GitHub } from "../api/create-github.ts";
import { fetchTip, openRemote, readRemote } from "../api/remote.ts";
import { readViewer } from "../api/viewer.ts";
import { unpublishableSecrets } from "../publication/prepare-publication.ts";
import type { PublishDeps } from "../publication/publish-deps.ts";
import type { Publication, RunOrigin } from "../publication/publish-request.ts";
import { openPull } from "../pulls/pull-request.ts";
import { openPusher, type Pusher } from "../push/pusher.ts";
import { checkCommits } from "../verify/check-commits.ts";
import { createSecretFinder } from "../verify/find-secrets.ts";
import type { FirewallViolation } from "../verify/firewall.ts";
import { readPlanStart } from "../verify/plan-start.ts";
import type { TrustedStart } from "../verify/trusted-start.ts";
import type { PublicationResult } from "./publish-pull.ts";

/** What a door wants published of an autopilot run that has no session yet; `bundle` is the run's folder. */
export interface PlanPublishRequest extends Publication {
  /** Where the pull request is opened; absent: only the branch is pushed. */
  github?: GitHub | undefined;
  origin: Pick<RunOrigin, "requested" | "marker" | "issue" | "trace" | "again">;
  log: (line: string) => void;
}

/** A document as its publisher tells it: what was checked, and the words for it. */
export interface PlanDraft {
  start: TrustedStart;
  /** The run's commits, oldest first; with none there is nothing to publish. */
  own: readonly string[];
  head: string;
  flagged: readonly FirewallViolation[];
  title: string;
  body: string;
}

export interface PublishedPlan extends Pick<PublicationResult, "pull"> {
  branch: string;
  /** The run's last commit, as the remote has it. */
  commit: string;
  kind: "pushed" | "up-to-date" | "empty";
}

/**
 * Publishes what an autopilot run has written for people to read: its branch, and a draft pull request that says how to go
 * on. The session that follows uses both. Twice is a no-op; what a person pushed on top stays.
 */
export async function publishPlan(
  system: System,
  request: PlanPublishRequest,
): Promise<PublishedPlan> {
  const place = await locateProject(system, request.checkout);
  await using repo = await openSide(system, place);
  const draft = await draftPlan(system, { repo, request });
  const { branch } = draft.start;
  if (draft.own.length === 0) {
    request.log("The run has committed nothing, so there is nothing to push.");
    return { branch, commit: draft.head, kind: "empty" };
  }
  const { remote: address, github, log } = request;
  const remote = openRemote(repo, address, system);
  const places = { clock: system.clock, address, github, log };
  const pusher = openPusher(remote, draft.start.config, places);
  const { kind, base, commit } = await pushPlan(pusher, draft);
  const at = commit.slice(0, 12);
  request.log(
    kind === "pushed" ? `Pushed ${branch}, now at ${at}.` : `${branch} holds ${at} already.`,
  );
  const pull = await openDraft(system, request, { ...draft, base });
  return { branch, commit, kind, ...(pull && { pull }) };
}

/** What `publishPlan` would do, without any effect. */
export async function previewPlan(system: System, request: PlanPublishRequest): Promise<PlanDraft> {
  const place = await locateProject(system, request.checkout);
  await using repo = await openSide(system, place);
  return await draftPlan(system, { repo, request });
}

async function draftPlan(
  system: System,
  { repo, request }: { repo: Repository; request: PlanPublishRequest },
): Promise<PlanDraft> {
  const { bundle, trust, origin } = request;
  const plan = await readBundledPlan(system.files(bundle));
  if (!plan) throw noPlan(bundle);
  const start = await readPlanStart(repo, { plan, bundle }, trust);
  const own = start.plan?.commits ?? [];
  const secrets = unpublishableSecrets(system, request);
  const flagged = await checkCommits(repo, { commits: own, start, moments: [], secrets });
  const head = planHead(plan) ?? plan.base;
  return { start, own, head, flagged, ...wordsFor(plan, start, origin) };
}

function noPlan(bundle: string): RalphError {
  return new RalphError("source", {
    message: `${bundle} is no bundle of an autopilot run.`,
    remedy: "Give the folder of an artifact, with autopilot.json and objects.pack.",
  });
}

function wordsFor(
  { document }: AutopilotPlan,
  { config }: TrustedStart,
  origin: PlanPublishRequest["origin"],
) {
  const values = pullValues({ tasks: [], tasks_completed: 0, tasks_total: 0 }, origin.requested);
  const body = renderPlanBody({ ...origin, document: document?.path });
  return { title: renderPullTitle(config.pr.title_template, values), body };
}

/** By compare-and-swap, and never over what somebody else has pushed (F53). */
async function pushPlan(
  pusher: Pusher,
  { start, own, head }: PlanDraft,
): Promise<{ kind: "pushed" | "up-to-date"; base: string; commit: string }> {
  const { remote } = pusher;
  const { branch, config, commit } = start;
  const { base_branch: wanted } = config.git;
  const state = await readRemote(remote, branch, wanted);
  const base = state.base === undefined ? (state.defaultBranch ?? wanted) : wanted;
  if (branch === state.defaultBranch) throw refused(`${branch} is the default branch`);
  const { tip: from } = state;
  const { kind, last } = await standing(pusher, { start, own, head }, from);
  if (kind === "whole") return { kind: "up-to-date", base, commit: last };
  if (kind === "foreign") throw refused(`somebody else has pushed to ${branch}`);
  const result = await pusher.push({ branch, base: commit, from, to: head });
  if (result.kind === "pushed") {
    return { kind: "pushed", base, commit: result.ids.get(head) ?? head };
  }
  throw refused(`somebody else has pushed to ${branch} in this moment`);
}

type Standing = { kind: "whole" | "ours" | "foreign"; last: string };

/** Whether the branch holds the run's last commit, by whatever id, or may be moved forward to it. */
async function standing(
  { remote, held }: Pusher,
  { start: { branch, commit: base }, own, head }: Pick<PlanDraft, "start" | "own" | "head">,
  tip: string | undefined,
): Promise<Standing> {
  if (tip === undefined) return { kind: "ours", last: head };
  if (!(await fetchTip(remote, branch, tip))) return { kind: "foreign", last: head };
  const ids = await held({ base, from: tip, to: head });
  const there = (id: string) => ids.get(id) ?? id;
  const last = there(head);
  if (await isAncestor(remote.repo, last, tip)) return { kind: "whole", last };
  const isOurs = own.map(there).includes(tip) || (await isAncestor(remote.repo, tip, base));
  return { kind: isOurs ? "ours" : "foreign", last };
}

const refused = (because: string) =>
  new RalphError("git", {
    message: `Nothing was pushed: ${because}.`,
    remedy: "Keep what you want of that branch, then delete it, and publish again.",
  });

async function openDraft(
  system: System,
  request: PlanPublishRequest,
  { start, title, body, base }: PlanDraft & { base: string },
): Promise<PublicationResult["pull"]> {
  const { config, branch } = start;
  const { github, origin, log } = request;
  if (!github || !config.autopilot.create_pr || !config.pr.enabled) return undefined;
  const findSecrets = createSecretFinder(unpublishableSecrets(system, request));
  const viewer = await readViewer(github);
  const deps: PublishDeps = { github, clock: system.clock, viewer, findSecrets };
  const { marker, again } = origin;
  const maxOpen = config.limits.open_prs;
  const opened = await openPull(deps, { branch, base, title, body, marker, maxOpen, again });
  if (opened.kind === "full") {
    const others = opened.others.map(({ html_url }) => html_url).join(", ");
    log(`No pull request is opened while another one of ours is open: ${others}`);
    return undefined;
  }
  const { kind, pull } = opened;
  const { number, html_url: url, draft } = pull;
  log(`Pull request #${number} ${draft ? "is a draft for you to read" : "is there"}: ${url}`);
  return { kind, number, url, draft };
}

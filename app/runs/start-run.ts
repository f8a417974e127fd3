import { RalphError } from "../../src/error.ts";
import { unlessStatus } from "../../src/github/api/expected-refusals.ts";
import { releaseClaim, takeClaim } from "../../src/github/claims/claim.ts";
import type { Claim } from "../../src/github/claims/claim-note.ts";
import type { Config } from "../../src/schema/config/config.ts";
import type { Place } from "../access/place.ts";
import { isConfigBroken } from "../repositories/config.ts";
import type { Notes } from "../store/notes.ts";
import { type BoundStart, bindToIssueText } from "./bind-to-text.ts";
import { dispatchWorkflow } from "./dispatch-workflow.ts";
import { type DispatchedRun, findRun, isOpen, listRuns, saveRun } from "./dispatched-run.ts";
import { recordRun } from "./end-run.ts";
import { permissionCheck } from "./ending.ts";
import { findDispatched } from "./follow-workflow.ts";
import { judgeActor } from "./judge-actor.ts";
import { reportProgress } from "./progress-comment.ts";
import { forgetDelivered, forgetDeliveredBefore, withSteering } from "./queued-steering.ts";
import {
  newRun,
  openSite,
  type RunParts,
  restarted,
  type Site,
  type Start,
  workflowLeaseMs,
} from "./run-parts.ts";
import { readStartFacts } from "./start-facts.ts";
import { judgeStart, type StartVerdict } from "./start-verdict.ts";

/**
 * Starts a run: checks the actor's permission and the limits, claims the item, comments, and starts the workflow. Killed
 * at any point and repeated, it leads to one claim, one comment and one run that works.
 */
export async function startRun(
  parts: RunParts,
  { id, place, start }: { id: string; place: Place; start: Start },
): Promise<void> {
  const site = await openSite(parts, place);
  const known = await findRun(parts.notes, { id, place });
  if (known && hasBegun(known)) return forgetDeliveredBefore(parts, known);
  const now = parts.clock.now();
  const bound = await bindToIssueText(site.github, start);
  const { title } = bound;
  const made = known ?? newRun({ id, place, start: bound.start, now });
  const run = title ? { ...made, title } : made;
  const verdict = await judge(site, run, bound);
  await removeLabel(site, start);
  if (verdict.kind === "start") {
    const ready = run.state === "waiting" ? restarted(run, now) : run;
    await claimAndDispatch(site, ready);
    return;
  }
  const { kind, reason: words } = verdict;
  const state = kind === "denied" ? "refused" : kind;
  const { waits_for: _, ...unstarted } = run;
  const waits = state === "waiting" && { waits_for: "room" as const };
  const lacking = kind === "denied" && { in: permissionCheck };
  const ending = state === "refused" && { ending: { kind: "refused" as const, ...lacking } };
  await report(site, {
    ...unstarted,
    ...waits,
    ...ending,
    state,
    words,
    changed_at: now,
  });
}

/** Whether the start of a run is over; a run that waits or whose start was interrupted starts again. */
function hasBegun({ state, goes_on: continues }: DispatchedRun): boolean {
  return continues === true || (state !== "claimed" && state !== "waiting");
}

async function judge(
  site: Site,
  run: DispatchedRun,
  { start, isEdited, isClosed }: BoundStart,
): Promise<StartVerdict | { kind: "denied"; reason: string }> {
  const permission = await judgeActor(site, site.place, start.request);
  if (permission.kind === "denied") {
    return { kind: "denied", reason: `Nothing was started: ${permission.because}.` };
  }
  const config = await readConfig(site);
  if (typeof config === "string") return { kind: "refused", reason: config };
  const facts = await readStartFacts(site, run, start);
  // A run that continues does not compete with its own pull request.
  const openPulls = Math.max(0, facts.openPulls - (run.after !== undefined && run.pull ? 1 : 0));
  return judgeStart(start.request, { config, ...facts, openPulls, isEdited, isClosed });
}

/** The configuration, or its error for the person who waits for the run. */
async function readConfig({ access, place }: Site): Promise<Config | string> {
  try {
    return (await access.config(place)) ?? noConfig;
  } catch (error) {
    if (!isConfigBroken(error)) throw error;
    return `${error.message}\n${error.remedy}`;
  }
}

const noConfig =
  "The default branch has no `.ralph/ralph.yml`. Merge the pull request that adds it, or write one with `ralph init`.";

async function claimAndDispatch(site: Site, given: DispatchedRun): Promise<void> {
  const { notes, clock } = site;
  const run = await withSteering(notes, given);
  const claim = await claimItem(site, run);
  if (typeof claim === "string") {
    await report(site, { ...unclaimed(run), words: claim, changed_at: clock.now() });
    return;
  }
  const claimed: DispatchedRun = { ...run, state: "claimed", claim };
  await saveRun(notes, claimed);
  await reportProgress(site, claimed);
  const wasInterrupted = given.state === "claimed" && given.claim !== undefined;
  const dispatched = await dispatch(site, { run: claimed, wasInterrupted });
  await report(site, dispatched);
  if (dispatched.state === "started") await forgetDelivered(site, dispatched);
}

/** The claim, or why another run has the item. */
async function claimItem(
  { github, clock, url }: Site,
  { id: holder, request }: DispatchedRun,
): Promise<Claim | string> {
  const wanted = { item: request.item, holder, url, leaseMs: workflowLeaseMs, request };
  try {
    return (await takeClaim({ github, clock }, wanted)).claim;
  } catch (error) {
    if (!(error instanceof RalphError) || error.reason !== "claim") throw error;
    return `${error.message} ${error.remedy}`;
  }
}

/** A pushed report waits for its item, because it is not pushed again; other requests are refused. */
function unclaimed({ waits_for: _, ...run }: DispatchedRun): DispatchedRun {
  return run.request.trigger === "report-push"
    ? { ...run, state: "waiting", waits_for: "claim" }
    : { ...run, state: "refused", ending: { kind: "refused" } };
}

type Dispatching = { run: DispatchedRun; wasInterrupted: boolean };

/** The started run; if GitHub refuses the workflow, the refused run without its claim. */
async function dispatch(
  site: Site,
  { run: { waits_for: _, ...run }, wasInterrupted }: Dispatching,
): Promise<DispatchedRun> {
  const { github, clock } = site;
  // An interrupted start may have reached GitHub; a second workflow would cost a runner, although its claim is refused.
  const isThere = wasInterrupted && (await findDispatched(site, run)) !== undefined;
  const refusal = isThere ? undefined : await dispatchWorkflow(github, run);
  if (refusal === undefined) return { ...run, state: "started", changed_at: clock.now() };
  const { claim, ...released } = run;
  if (claim) await releaseClaim({ github, clock }, claim);
  return {
    ...{ ...released, state: "refused", words: refusal, ending: { kind: "refused" } },
    changed_at: clock.now(),
  };
}

/** Saves a run and comments on it; a run that does not start hides no comment of another run for the same work. */
async function report(site: Site, run: DispatchedRun): Promise<void> {
  const { notes } = site;
  const { id, place, state } = run;
  const isUnstarted = state === "waiting" || state === "refused";
  const known = isUnstarted ? await findRun(notes, { id, place }) : undefined;
  if (isUnstarted && (await hasTwin(notes, run))) {
    if (known) await saveRun(notes, run);
    return;
  }
  await saveRun(notes, run);
  const events = { waiting: "run-waiting", refused: "run-refused" } as const;
  // A waiting run is looked at after every other one; only a new reason is worth a line.
  const isNews = known?.state !== state || known.words !== run.words;
  if (isNews) recordRun(site, isUnstarted ? events[state] : "run-started", run);
  await reportProgress(site, run);
}

/** Whether another run does the same work: any open run of the same issue, or for an autopilot one that waits as well. */
async function hasTwin(notes: Notes, run: DispatchedRun): Promise<boolean> {
  const { id, place, request, state } = run;
  const runs = await listRuns(notes, { place, limit: 200 });
  const isSame = (other: DispatchedRun) =>
    other.request.command === request.command &&
    other.request.item === request.item &&
    other.request.alternativeIssue === request.alternativeIssue;
  const counts = (other: DispatchedRun) =>
    request.command === "run" ? isOpen(other) : state === "waiting" && other.state === "waiting";
  return runs.some((other) => other.id !== id && isSame(other) && counts(other));
}

/** A label counts once (T31); it may be gone already. */
async function removeLabel({ github }: Site, { request, label }: Start): Promise<void> {
  const { issue } = request;
  if (issue === undefined || label === undefined) return;
  const asked = github.ask(
    { act: `remove the label ${label}`, permission: "issues: write", reason: "claim" },
    ({ rest }) => rest.issues.removeLabel({ ...github.repo, issue_number: issue, name: label }),
  );
  await unlessStatus([404], asked);
}

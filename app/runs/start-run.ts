import { RalphError } from "../../src/error.ts";
import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import { releaseClaim, takeClaim } from "../../src/github/claims/claim.ts";
import type { Config } from "../../src/schema/config/config.ts";
import type { Access } from "../access/access.ts";
import type { Place } from "../access/place.ts";
import { isConfigBroken } from "../repositories/broken-config.ts";
import { readRepositoryFacts } from "../repositories/repository-facts.ts";
import { mayTrigger } from "../rules/authority.ts";
import { identifyActor } from "../rules/identify-actor.ts";
import type { Notes } from "../store/notes.ts";
import { bindToIssueText } from "./bind-to-text.ts";
import { dispatchRefusalReason } from "./dispatch-refusal.ts";
import { dispatchWorkflow } from "./dispatch-workflow.ts";
import { type DispatchedRun, findRun, isOpen, listRuns, saveRun } from "./dispatched-run.ts";
import { newRun, restarted } from "./new-run.ts";
import { type Commenter, reportProgress } from "./progress-comment.ts";
import { forgetDelivered, forgetDeliveredBefore, withSteering } from "./queued-steering.ts";
import { type RunParts, type Start, workflowFile, workflowLeaseMs } from "./run-parts.ts";
import { readStartFacts } from "./start-facts.ts";
import { judgeStart, type StartVerdict } from "./start-verdict.ts";

/**
 * Starts a run for whoever may: asks for the right, looks at the limits, claims the item, says so, and starts the workflow.
 * Killed anywhere and done again it comes to one claim, one comment and one run that works.
 */
export async function startRun(
  parts: RunParts,
  { id, place, start }: { id: string; place: Place; start: Start },
): Promise<void> {
  const github = await parts.access.github(place);
  const speaker: Commenter = { github, self: await parts.access.self(place), clock: parts.clock };
  const known = await findRun(parts.notes, { id, repository: place.repository });
  if (known && hasBegun(known)) return forgetDeliveredBefore(parts, known);
  const now = parts.clock.now();
  const bound = await bindToIssueText(github, start);
  const run: DispatchedRun = known ?? newRun({ id, place, start: bound.start, now });
  const verdict = await judge(parts, { github, place, id, run, ...bound });
  await removeLabel(github, start);
  if (verdict.kind === "start") {
    const ready = run.state === "waiting" ? restarted(run, now) : run;
    await claimAndDispatch({ parts, speaker, github }, ready);
    return;
  }
  const { kind: state, words } = verdict;
  const { waits_for: _, ...ended } = run;
  const waits = state === "waiting" && { waits_for: "room" as const };
  await end(parts, speaker, { ...ended, ...waits, state, words, changed_at: now });
}

/** Whether this start is over: only one that waits, or was cut short, is begun once more. */
function hasBegun({ state, goes_on }: DispatchedRun): boolean {
  return goes_on === true || (state !== "claimed" && state !== "waiting");
}

/**
 * Whether another run does the same already: of an issue one is enough, and what is chosen one after the other needs one
 * that waits.
 */
async function isElsewhere(notes: Notes, run: DispatchedRun): Promise<boolean> {
  const { id, place, request, state } = run;
  const runs = await listRuns(notes, { repositories: [place.repository], limit: 200 });
  const isSame = (other: DispatchedRun) =>
    other.request.command === request.command &&
    other.request.item === request.item &&
    other.request.alternativeIssue === request.alternativeIssue;
  const counts = (other: DispatchedRun) =>
    request.command === "run" ? isOpen(other) : state === "waiting" && other.state === "waiting";
  return runs.some((other) => other.id !== id && isSame(other) && counts(other));
}

type Here = { parts: RunParts; speaker: Commenter; github: GitHub };

async function claimAndDispatch(
  { parts, speaker, github }: Here,
  given: DispatchedRun,
): Promise<void> {
  const { notes, clock, url } = parts;
  const run = await withSteering(notes, given);
  const { id: holder, request } = run;
  let claimed: DispatchedRun;
  try {
    const { claim } = await takeClaim(
      { github, clock },
      { item: request.item, holder, url, leaseMs: workflowLeaseMs, request },
    );
    claimed = { ...run, state: "claimed", claim };
  } catch (error) {
    if (!(error instanceof RalphError) || error.reason !== "claim") throw error;
    const words = `${error.message} ${error.remedy}`;
    // Nobody would bring a pushed report a second time.
    const isKept = request.trigger === "report-push";
    const ending = isKept
      ? ({ state: "waiting", waits_for: "claim" } as const)
      : ({ state: "refused" } as const);
    const { waits_for: _, ...ended } = run;
    await end(parts, speaker, { ...ended, ...ending, words, changed_at: clock.now() });
    return;
  }
  await saveRun(notes, claimed);
  await reportProgress(speaker, claimed);
  const dispatched = await dispatch({ parts, speaker, github }, claimed);
  await end(parts, speaker, dispatched);
  if (dispatched.state === "started") await forgetDelivered(parts, dispatched);
}

/** Started, or refused for good and given back. */
async function dispatch({ parts, github }: Here, run: DispatchedRun): Promise<DispatchedRun> {
  const { clock } = parts;
  const { default_branch: ref } = await readRepositoryFacts(github);
  try {
    const resumeFrom = run.after !== undefined && { resumeFrom: run.after };
    await dispatchWorkflow(github, run, { workflow: workflowFile, ref, ...resumeFrom });
    const { waits_for: _, ...begun } = run;
    return { ...begun, state: "started", changed_at: clock.now() };
  } catch (error) {
    const words = dispatchRefusalReason(error, workflowFile);
    if (words === undefined || !run.claim) throw error;
    await releaseClaim({ github, clock }, run.claim);
    const { claim: _, waits_for: __, ...released } = run;
    return { ...released, state: "refused", words, changed_at: clock.now() };
  }
}

/** What begins nothing is not told over the words of a run that does the same. */
async function end({ notes }: RunParts, speaker: Commenter, run: DispatchedRun): Promise<void> {
  const { id, place, state } = run;
  const isNothing = state === "waiting" || state === "refused";
  if (isNothing && (await isElsewhere(notes, run))) {
    const isKnown = await findRun(notes, { id, repository: place.repository });
    if (isKnown) await saveRun(notes, run);
    return;
  }
  await saveRun(notes, run);
  await reportProgress(speaker, run);
}

type Judged = {
  github: GitHub;
  place: Place;
  id: string;
  start: Start;
  run: DispatchedRun;
  isEdited: boolean;
  isClosed: boolean;
};

async function judge(parts: RunParts, asked: Judged): Promise<StartVerdict> {
  const { access, bots } = parts;
  const { github, place, start, run, isEdited, isClosed } = asked;
  const self = await access.self(place);
  const actor = await identifyActor(github, start.request.actor, { selfId: self.id, bots });
  const right = mayTrigger(start.request.trigger, actor);
  if (right.kind === "denied") {
    return { kind: "refused", words: `Nothing was started: ${right.because}.` };
  }
  const config = await readConfig(access, place);
  if (typeof config === "string") return { kind: "refused", words: config };
  const facts = await readStartFacts(parts, asked);
  // Its own pull request is no other one.
  const openPulls = Math.max(0, facts.openPulls - (run.after !== undefined && run.pull ? 1 : 0));
  return judgeStart(start.request, { config, ...facts, openPulls, isEdited, isClosed });
}

/** What is wrong with a configuration is told where somebody waits for the run. */
async function readConfig(access: Access, place: Place): Promise<Config | string> {
  try {
    return (await access.config(place)) ?? noConfig;
  } catch (error) {
    if (!isConfigBroken(error)) throw error;
    return `${error.message}\n${error.remedy}`;
  }
}

const noConfig =
  "The default branch has no `.ralph/ralph.yml`. Merge the pull request that adds it, or write one with `ralph init`.";

/** A label counts once (T31); one that is gone already is as good. */
async function removeLabel(github: GitHub, { request, label }: Start): Promise<void> {
  const { issue } = request;
  if (issue === undefined || label === undefined) return;
  try {
    await github.ask({
      route: "DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}",
      parameters: { issue_number: issue, name: label },
      purpose: {
        act: `take the label ${label} away`,
        permission: "issues: write",
        reason: "claim",
      },
    });
  } catch (error) {
    if (httpStatusOf(error) !== 404) throw error;
  }
}

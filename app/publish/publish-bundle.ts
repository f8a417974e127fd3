import { requireBundledRun } from "../../src/autopilot/run/autopilot-run.ts";
import { originFactsOf, originOf } from "../../src/autopilot/run/run-origin.ts";
import { createGitHub, type GitHub } from "../../src/github/api/create-github.ts";
import { downloadBundle, downloadProof } from "../../src/github/artifacts/download-bundle.ts";
import type { Publication } from "../../src/github/publication/publish-request.ts";
import { judgeContinuation } from "../../src/github/publish/continue-run.ts";
import type { PublicationResult } from "../../src/github/publish/publish-pull.ts";
import { publishPlan, publishSession } from "../../src/github/publish/publisher.ts";
import { type Reading, readJournal } from "../../src/journal/audit.ts";
import { journalFile } from "../../src/journal/journal.ts";
import type { System } from "../../src/platform/system.ts";
import { locateProject } from "../../src/session/open/locate-project.ts";
import { plainLine } from "../../src/text/plain-text.ts";
import { summarize } from "../../src/views/summary/summary.ts";
import type { ChildRequest, ChildResult } from "./child-request.ts";
import { cloneFresh } from "./fresh-clone.ts";

type Published = Extract<ChildResult, { kind: "published" }>;
type Log = (line: string) => void;
type Work = { request: ChildRequest; github: GitHub; publication: Publication };

/** Fetches a bundle and a fresh clone, and publishes by the same module as every other publisher (design 6). */
export async function publishBundle(
  system: System,
  request: ChildRequest,
  log: Log,
): Promise<Published> {
  const { folder, apiUrl, repository, token, session } = request;
  const github = createGitHub({ apiUrl, token, repository });
  const bundle = `${folder}/bundle`;
  await downloadBundle({ github, system }, { artifact: session, folder: bundle });
  const remote = { url: `${request.serverUrl}/${repository}.git`, token };
  const checkout = `${folder}/checkout`;
  const home = `${folder}/home`;
  await system.files(folder).makeFolder("home");
  await cloneFresh(system, { remote, folder: checkout, home });
  const trust = { revisions: ["HEAD"], config: ".ralph/ralph.yml" };
  const publication = { bundle, checkout, remote, trust, log };
  const work = { request, github, publication };
  if (!(await system.files(bundle).stat(journalFile))) return publishDocument(system, work);
  return publishWork(system, work);
}

/** An autopilot run that waits for its reader; one that went wrong before has nothing to show. */
async function publishDocument(system: System, work: Work): Promise<Published> {
  const { request, github, publication } = work;
  if (!request.workflow.succeeded) {
    return { kind: "published", words: "It ended before its tasks were worked on." };
  }
  const { bundle } = publication;
  const origin = originFactsOf(await requireBundledRun(system.files(bundle)), bundle);
  const listener = listenTo(publication.log);
  const { pull } = await publishPlan(system, {
    ...publication,
    github: origin.wantsPull ? github : undefined,
    origin,
    log: listener.log,
  });
  const words = `${listener.words()} To go on after reading, start the workflow with \`resume-from: ${request.workflow.run}\`.`;
  return { kind: "published", words, ...pullOf(pull) };
}

async function publishWork(system: System, work: Work): Promise<Published> {
  const { request, github, publication } = work;
  const { bundle, checkout, trust } = publication;
  const reading = await readJournal(system.files(bundle));
  const place = await locateProject(system, checkout);
  const { state } = reading;
  const origin = state && (await originOf(system, { place, bundle, state, trust }));
  const listener = listenTo(publication.log);
  const { isProved, proof, workflow } = request;
  const handed = isProved && proof;
  const published = await publishSession(system, {
    ...publication,
    github: origin?.wantsPull === false ? undefined : github,
    staysDraft: false,
    comments: true,
    proof: isProved ? "clean_room" : "in_place",
    proved: handed ? await downloadProof({ github, clock: system.clock }, handed) : undefined,
    acceptsInPlace: false,
    origin,
    job: { runId: String(workflow.run), url: workflow.url, workflow: workflow.file },
    log: listener.log,
  });
  const { lowValueReason: unwanted, pull } = published;
  return {
    kind: "published",
    words:
      unwanted === undefined
        ? wordsFor(pull, listener.words())
        : `Nothing was published: ${unwanted}.`,
    ...pullOf(pull),
    ...figuresOf(reading),
    ...nextOf(reading, published, system.clock.now()),
  };
}

/** One that was made ready by an earlier try is told of as if it had been this one. */
function wordsFor(pull: PublicationResult["pull"], told: string): string {
  const isOpen = pull?.kind === "created" || pull?.kind === "adopted";
  return isOpen && !pull.draft ? `Pull request #${pull.number} is ready for review.` : told;
}

/** The line that says most: what became of the pull request, else the last one. */
function listenTo(log: Log): { log: Log; words: () => string } {
  let last = "";
  let pull: string | undefined;
  return {
    log: (line) => {
      last = plainLine(line, 1000);
      if (/^(?:Pull request #\d|No pull request )/.test(line)) pull = last;
      log(last);
    },
    words: () => pull ?? last,
  };
}

const pullOf = (pull: PublicationResult["pull"]) =>
  pull ? { pull: { number: pull.number, url: pull.url } } : {};

function figuresOf({ state, moments }: Reading): Pick<Published, "figures"> {
  if (!state) return {};
  const events = moments.map(({ event }) => event);
  const { tasks_completed: passed, tasks_total: total, cost_usd } = summarize(state, events);
  return { figures: { passed, total, ...(cost_usd !== null && { cost_usd }) } };
}

/** A session whose time was up; what nobody would review is not gone on with. */
function nextOf(
  reading: Reading,
  { branch }: PublicationResult,
  now: number,
): Pick<Published, "continuation"> {
  if (reading.state?.end?.reason !== "checkpoint" || !branch) return {};
  const { max_continuations: maxContinuations } = branch.config.limits;
  return { continuation: judgeContinuation(reading, { maxContinuations, now }) };
}

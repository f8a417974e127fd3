import { requireBundledRun } from "../../src/autopilot/run/autopilot-run.ts";
import { originFactsOf, originOf } from "../../src/autopilot/run/run-origin.ts";
import { createGitHub, type GitHub } from "../../src/github/api/create-github.ts";
import { remoteEnvironment, remoteFailed } from "../../src/github/api/remote.ts";
import type { RemoteAddress } from "../../src/github/api/remote-url.ts";
import { downloadBundle, downloadProof } from "../../src/github/artifacts/download-bundle.ts";
import { acceptCounted } from "../../src/github/branches/count-branches.ts";
import type { Publication } from "../../src/github/publication/publish-request.ts";
import { judgeContinuation } from "../../src/github/publish/continue-run.ts";
import type { PublicationResult } from "../../src/github/publish/publish-pull.ts";
import { publishPlan, publishSession } from "../../src/github/publish/publisher.ts";
import { type Reading, readJournal } from "../../src/journal/audit.ts";
import { journalFile } from "../../src/journal/journal.ts";
import type { System } from "../../src/platform/system.ts";
import { configFile } from "../../src/schema/config/config.ts";
import { locateProject } from "../../src/session/open/locate-project.ts";
import { counted } from "../../src/text/figures.ts";
import { cut, plainLine } from "../../src/text/plain-text.ts";
import { renderHtmlReport } from "../../src/views/html/report.ts";
import { isPassed, reportModelOf, type TaskReport } from "../../src/views/html/report-model.ts";
import { slimEvent } from "../../src/views/html/slim-event.ts";
import { plainProof } from "../../src/views/summary/findings.ts";
import { summarize } from "../../src/views/summary/summary.ts";
import { isGreen } from "../../src/views/summary/summary-proof.ts";
import { type ChildRequest, type ChildResult, reportFile } from "../jobs/publication.ts";

type Published = Extract<ChildResult, { kind: "published" }>;
type Log = (line: string) => void;
type Work = { request: ChildRequest; github: GitHub; publication: Publication };

/** Downloads a bundle, makes a fresh clone, and publishes with the same module as every other publisher (design 6). */
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
  const trust = {
    revisions: ["HEAD"],
    config: configFile,
    acceptsBranch: (wanted: string, name: string) => acceptCounted(github, wanted, name),
  };
  const publication = { bundle, checkout, remote, trust, log };
  const work = { request, github, publication };
  if (!(await system.files(bundle).stat(journalFile))) return publishDocument(system, work);
  return publishWork(system, work);
}

/** Publishes the plan of an autopilot run that waits for approval; a failed run has nothing to publish. */
async function publishDocument(system: System, work: Work): Promise<Published> {
  const { request, github, publication } = work;
  if (!request.workflow.succeeded) {
    return { kind: "published", message: "The run ended before it worked on any task." };
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
  const message = `${listener.message()} To approve the plan, start the workflow with \`resume-from: ${request.workflow.run}\`.`;
  return { kind: "published", message, ...pullOf(pull) };
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
  const cleanRoomProof = isProved && proof;
  const published = await publishSession(system, {
    ...publication,
    github: origin?.wantsPull === false ? undefined : github,
    staysDraft: false,
    comments: true,
    proof: isProved ? "clean_room" : "in_place",
    proved: cleanRoomProof
      ? await downloadProof({ github, clock: system.clock }, cleanRoomProof)
      : undefined,
    acceptsInPlace: false,
    origin,
    job: { runId: String(workflow.run), url: workflow.url, workflow: workflow.file },
    log: listener.log,
  });
  const { lowValueReason, pull, branch } = published;
  return {
    kind: "published",
    message:
      lowValueReason === undefined
        ? messageFor(pull, listener.message())
        : `Nothing was published: ${lowValueReason}.`,
    ...pullOf(pull),
    ...(branch && { branch: branch.branch }),
    ...figuresOf(reading),
    ...(await reportOn(system, { request, reading, log: publication.log })),
    ...(reading.state?.end && { stop: reading.state.end.reason }),
    isLowValue: lowValueReason !== undefined,
    ...nextOf(reading, published, system.clock.now()),
  };
}

/** A pull request that an earlier attempt made ready is reported as ready. */
function messageFor(pull: PublicationResult["pull"], logged: string): string {
  const isOpen = pull?.kind === "created" || pull?.kind === "adopted";
  return isOpen && !pull.draft ? `Pull request #${pull.number} is ready for review.` : logged;
}

/** The most informative log line: the one about the pull request, else the last one. */
function listenTo(log: Log): { log: Log; message: () => string } {
  let last = "";
  let pull: string | undefined;
  return {
    log: (line) => {
      last = plainLine(line, 1000);
      if (/^(?:Pull request #\d|No pull request )/.test(line)) pull = last;
      log(last);
    },
    message: () => pull ?? last,
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

type Reported = { request: ChildRequest; reading: Reading; log: Log };

/** Leaves the HTML report for the App's pages; a failure here does not undo the publication. */
async function reportOn(
  system: System,
  { request, reading, log }: Reported,
): Promise<Pick<Published, "tasks" | "left">> {
  const { state, moments, digest } = reading;
  if (!state) return {};
  const events = moments.map(({ event }) => slimEvent(event));
  // Pictures would make the report too large for the App's database; they are in the artifact's own report.
  const input = { events, journal: digest, isAlive: false, pictures: new Map() };
  try {
    await system.files(request.folder).write(reportFile, renderHtmlReport(state, input));
    const { tasks: all } = reportModelOf(state, input);
    const tasks = all.slice(0, maxTasks).map(reportedTask);
    const left = tasks.filter((_, at) => !isPassed(all[at]?.state ?? "passed")).slice(0, maxLeft);
    return { tasks, left: left.map(({ id, title, state }) => ({ id, title, state })) };
  } catch (error) {
    log(`The report was not rendered: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  }
}

const maxTasks = 1000;
const maxLeft = 5;

const reportedTask = ({ summary, state }: TaskReport) => ({
  id: cut(plainLine(summary.id), 40),
  title: plainLine(summary.title, 200),
  state,
  proof: plainLine(proofOf(summary), 600),
});

/** The task's proof, or why it did not pass. */
function proofOf({ proof, reason, criteria, gates }: TaskReport["summary"]): string {
  if (reason !== null) return reason;
  const held = criteria.filter(({ verdict }) => verdict === "proved" || verdict === "held").length;
  const green = gates.filter(isGreen).length;
  const checked = `${held} of ${criteria.length} criteria hold; ${green} of ${counted(gates.length, "gate")} green.`;
  return proof ? `${checked} ${plainProof(proof)}` : checked;
}

/** How a session that ran out of time continues, if it was pushed to a branch. */
function nextOf(
  reading: Reading,
  { branch }: PublicationResult,
  now: number,
): Pick<Published, "continuation"> {
  if (reading.state?.end?.reason !== "checkpoint" || !branch) return {};
  const { max_continuations: maxContinuations } = branch.config.limits;
  return { continuation: judgeContinuation(reading, { maxContinuations, now }) };
}

interface CloneRequest {
  remote: RemoteAddress;
  folder: string;
  /** An empty home folder, without stored credentials. */
  home: string;
}

/**
 * Clones the default branch with its history but without a checkout, so that no filter, hook or link of the repository
 * takes effect. The token is passed in the environment and stored nowhere.
 */
async function cloneFresh(system: System, wanted: CloneRequest): Promise<void> {
  const { remote, folder, home } = wanted;
  const answer = await system.ask({
    file: "git",
    args: [
      "clone",
      "--quiet",
      "--no-checkout",
      "--single-branch",
      "--no-tags",
      "--template=",
      "--",
      remote.url,
      folder,
    ],
    cwd: home,
    env: {
      PATH: system.env.PATH,
      LC_ALL: "C",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      ...remoteEnvironment(remote, { env: system.env, home }),
    },
  });
  if (answer.exitCode !== 0) throw remoteFailed(remote.url, answer);
}

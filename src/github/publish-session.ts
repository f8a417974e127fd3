import { locateProject, type Place } from "../loop/locate-project.ts";
import { openSide } from "../loop/open-side.ts";
import type { System } from "../system/system.ts";
import type { GitHub } from "./create-github.ts";
import { findOnBranch } from "./find-marked.ts";
import { createSecretFinder } from "./find-secrets.ts";
import { finishPull } from "./finish-pull.ts";
import { type Published, publishBranch } from "./publish-branch.ts";
import { type PublishDeps, requireNoSecret } from "./publish-deps.ts";
import type { Pull } from "./pull.ts";
import { type OpenedPull, openPull } from "./pull-request.ts";
import { readStory, type Story, secretsOf } from "./read-story.ts";
import {
  findRecord,
  isOver,
  moveOn,
  pushRecord,
  recordFiles,
  recordWith,
} from "./record-commit.ts";
import { openRemote, type Remote } from "./remote.ts";
import type { SessionWish } from "./session-wish.ts";
import { readViewer } from "./viewer.ts";

/** `branch` alone: no pull request was wanted, or there may be no further one. */
export interface PublishedSession {
  branch: Published | undefined;
  /** Undefined: there is none. `merged` and `rejected`: a person has decided, nothing was changed. */
  pull?: { kind: Exclude<OpenedPull["kind"], "full">; number: number; url: string; draft: boolean };
}

/**
 * The one publisher (design 6): pushes a session's branch, opens its pull request as a draft, adds the run record as the
 * last commit, and marks it ready when everything passed and is proved. Each step looks for what is there before it
 * does anything, so that it can be killed anywhere and started again: one pull request, one last commit, one comment.
 */
export async function publishSession(system: System, wish: SessionWish): Promise<PublishedSession> {
  const place = await locateProject(system, wish.checkout);
  await using repo = await openSide(system, place);
  const story = await readStory(system, { repo, place, wish });
  // Without a story publishing the branch says what is wrong with the bundle.
  if (!story || story.own.length === 0) return { branch: await pushOnly(system, wish) };
  const work = { story, wish, remote: openRemote(repo, wish.remote, system) };
  const github = wantsPull(story, wish);
  if (!github) return { branch: (await pushWork(system, work)).branch };
  const deps: PublishDeps = {
    github,
    clock: system.clock,
    viewer: await readViewer(github),
    findSecrets: createSecretFinder(secretsOf(system, wish)),
  };
  return await publishPull(system, { ...work, deps });
}

/** What `publishSession` would do, without any effect. Undefined: the bundle holds no session. */
export async function planSession(system: System, wish: SessionWish): Promise<Story | undefined> {
  const place: Place = await locateProject(system, wish.checkout);
  await using repo = await openSide(system, place);
  return await readStory(system, { repo, place, wish });
}

/** The API to use, where everything that has a say wants a pull request (design 6). */
function wantsPull({ start: { config } }: Story, wish: SessionWish): GitHub | undefined {
  const switched = [
    ...(config.autopilot.create_pr ? [] : ["autopilot.create_pr is false"]),
    ...(config.pr.enabled ? [] : ["pr.enabled is false"]),
  ];
  if (switched.length === 0) return wish.github;
  wish.tell(`No pull request is opened: ${switched.join(", ")}.`);
  return undefined;
}

async function pushOnly(system: System, wish: SessionWish): Promise<Published> {
  const published = await publishBranch(system, wish);
  tellBranch(published, wish);
  return published;
}

function tellBranch({ kind, branch, commit }: Published, { tell }: SessionWish): void {
  const words = {
    pushed: `Pushed ${branch}, now at ${commit.slice(0, 12)}.`,
    "up-to-date": `${branch} is at ${commit.slice(0, 12)} already.`,
    empty: "No task has passed, so there is nothing to push.",
  };
  tell(words[kind]);
}

type Work = { story: Story; wish: SessionWish; remote: Remote };
type PullWork = Work & { deps: PublishDeps };

async function publishPull(system: System, work: PullWork): Promise<PublishedSession> {
  const { deps, story, wish } = work;
  const decided = await findOnBranch(deps.github, { ...claimOf(story), viewer: deps.viewer });
  if (decided.kind === "merged" || decided.kind === "rejected") {
    return { branch: undefined, ...tellDecided(decided, wish) };
  }
  const { branch, tip } = await pushWork(system, work);
  const { title, body } = story;
  const { base_branch: base } = story.start.config.git;
  const opened = await openPull(deps, { ...claimOf(story), base, title, body });
  if (opened.kind === "full") {
    const others = opened.others.map(({ html_url }) => html_url).join(", ");
    wish.tell(`No pull request is opened while another one of ours is open: ${others}`);
    return { branch };
  }
  if (opened.kind === "merged" || opened.kind === "rejected") {
    return { branch, ...tellDecided({ kind: opened.kind, pull: opened.pull }, wish) };
  }
  const { kind, pull } = opened;
  const verb = kind === "created" ? "was opened" : "is open";
  wish.tell(`Pull request #${pull.number} ${verb}: ${pull.html_url}`);
  const head = await keepRecord(work, { pull, tip });
  const last = await finishPull(deps, { story, wish, pull, head });
  return { branch, pull: { kind, ...shown(last) } };
}

const claimOf = ({ start: { branch, config }, marker }: Story) => ({
  branch,
  marker,
  maxOpen: config.limits.open_prs,
});

const shown = ({ number, html_url: url, draft }: Pull) => ({ number, url, draft });

function tellDecided(
  { kind, pull }: { kind: "merged" | "rejected"; pull: Pull },
  { tell }: SessionWish,
): Pick<PublishedSession, "pull"> {
  const words = {
    merged: "is merged already; nothing is added to it",
    rejected: "was closed without a merge; it is not opened again",
  };
  tell(`Pull request #${pull.number} ${words[kind]}: ${pull.html_url}`);
  return { pull: { kind, ...shown(pull) } };
}

/** The branch with the session's commits, and where it stands: at the head, or at our own last commit behind it. */
async function pushWork(system: System, { story, wish, remote }: Work) {
  const { run, start, flagged } = story;
  const { branch, config } = start;
  const record = await findRecord(remote, story, config.autopilot.memory.archive);
  if (record?.parent === run.head) {
    const published: Published = { branch, config, commit: run.head, kind: "up-to-date", flagged };
    tellBranch(published, wish);
    return { branch: published, tip: record.commit };
  }
  // The session went on since: its commits follow those of the tasks, not our own note.
  if (record) await moveOn(remote, { branch, from: record.commit, to: record.parent });
  const published = { ...(await publishBranch(system, wish)), flagged };
  tellBranch(published, wish);
  return { branch: published, tip: run.head };
}

/** Answers where the branch stands at the end. */
async function keepRecord(
  { deps, story, wish, remote }: PullWork,
  { pull, tip }: { pull: Pull; tip: string },
): Promise<string> {
  const record = isOver(story.run) ? recordWith(story, wish, pull.html_url) : undefined;
  if (!record) return tip;
  const files = recordFiles(record, wish);
  requireNoSecret(deps, "run record", files.map(({ content }) => String(content)).join("\n"));
  return pushRecord(remote, story, { files, from: tip });
}

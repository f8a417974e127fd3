import { expect, onTestFinished } from "vitest";
import { isMeasured } from "../../setup/sampled.ts";
import { itemBranch } from "../autopilot/project.ts";
import type { Reply, Seen } from "../github/server.ts";
import { type MadeSession, type PublishingApp, startPublishing } from "./publishing.ts";
import { eventually } from "./running-app.ts";
import { usualLimits } from "./settings.ts";

/** The write at which the App is cut off, from 0 on, and whether GitHub has done it by then. */
export interface Moment {
  at: number;
  when: "before" | "after";
  /** Nothing is answered any more, so that whoever asks waits. */
  hangs?: boolean;
}

/** Requests that change something between the end of a workflow and the end of its run. */
export const writesOfOne = 10;

/** A publication takes longer where GitHub does not answer. */
const longestStopMs = 6000;

/**
 * An App that loses GitHub in the middle of publishing, is stopped, and started again on what it has kept: what there is in
 * the end must be there once.
 */
export async function publishKilled(made: MadeSession, moment: Moment): Promise<void> {
  const app = await startPublishing(made, { stopMs: longestStopMs });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const { github } = app;
  await app.label();
  const started = { body: expect.stringContaining("**Started") };
  await eventually(() => expect(github.fake.state.comments).toMatchObject([started]));
  app.hold("issue-12", "50");
  const cut = cutOff(app, moment);
  const artifacts = [
    { name: "ralph-session-50-1", zip: made.zip },
    { name: "ralph-proof-50-1", zip: made.proof },
  ];
  await app.play({ run: 50, artifacts });
  await eventually(() => expect(cut.isMet()).toBe(true));
  const stoppedAt = performance.now();
  await app.stop();
  // By its own limit and not the usual one.
  const limitMs = isMeasured ? longestStopMs + 2000 : usualLimits.stopMs;
  expect(performance.now() - stoppedAt).toBeLessThan(limitMs);
  cut.mend();
  await app.start();
  await eventually(async () => expect(await app.runs()).toMatchObject([{ state: "done" }]));
  await eventually(() => expect(app.claim("issue-12")).toMatchObject({ state: "released" }));
  expectOnce(app);
}

function expectOnce({ github, remoteGit }: PublishingApp): void {
  const { pulls, comments, checkRuns } = github.fake.state;
  expect(pulls).toMatchObject([{ draft: false }]);
  expect(comments.map(({ issue }) => issue).toSorted()).toEqual([1, 12]);
  expect(comments.find(({ issue }) => issue === 12)?.body).toMatch(
    /\*\*Ready for review\*\*[\s\S]*ready/,
  );
  expect(checkRuns).toHaveLength(1);
  const subjects = remoteGit("log", "--format=%s", `main..${itemBranch}`).split("\n");
  expect(subjects.filter((subject) => subject.includes("run record"))).toHaveLength(1);
}

/** From that write on no connection holds. */
function cutOff({ github }: PublishingApp, { at, when, hangs = false }: Moment) {
  const broken: Reply = { broken: hangs ? "hang" : "reset" };
  const { more } = github;
  let writes = 0;
  let isCut = false;
  let isMended = false;
  github.more = (asked, seen) => {
    if (isMended) return more(asked, seen);
    if (isCut) return broken;
    if (!isWrite(seen) || writes++ < at) return more(asked, seen);
    isCut = true;
    if (when === "after") github.fake.answer(seen);
    return broken;
  };
  return {
    isMet: () => isCut,
    mend: () => {
      isMended = true;
    },
  };
}

function isWrite({ method, path, body }: Seen): boolean {
  if (method === "GET" || path.startsWith("/storage")) return false;
  if (!path.endsWith("/graphql")) return true;
  return String((body as { query?: string })?.query).startsWith("mutation");
}

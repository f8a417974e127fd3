import { expect, test } from "vitest";
import { RalphError } from "../../../src/error.ts";
import { createGitHub } from "../../../src/github/api/create-github.ts";
import { readViewer } from "../../../src/github/api/viewer.ts";
import type { CheckAnnotation } from "../../../src/github/pulls/check-run.ts";
import { upsertCheckRun } from "../../../src/github/pulls/check-run.ts";
import { markReady, type OpenedPull, openPull } from "../../../src/github/pulls/pull-request.ts";
import { checkCiStart } from "../../../src/github/pulls/started-ci.ts";
import { upsertComment } from "../../../src/github/pulls/sticky-comment.ts";
import { clock } from "../../../src/platform/clock.ts";
import { metricsMarker } from "../../../src/views/pull-request/pull-marker.ts";
import { times } from "../../setup/sampled.ts";
import { faultKinds, randomFaults } from "../../support/github/fake-faults.ts";
import { createFakeGitHub, type FakeGitHub } from "../../support/github/fake-github.ts";
import { fakeClock, inFakeTime } from "../../support/github/fake-time.ts";
import { depsFor, head, run, wantedPull } from "../../support/github/publishing.ts";
import { startGitHubServer } from "../../support/github/server.ts";

const runs = times(40, 500);
const share = 0.2;
const mostAttempts = 30;

const annotations = Array.from(
  { length: 60 },
  (_, at): CheckAnnotation => ({
    path: "a.ts",
    start_line: at + 1,
    end_line: at + 1,
    annotation_level: "warning",
    message: "m",
  }),
);

type Deps = Pick<ReturnType<typeof depsFor>, "github" | "clock" | "findSecrets">;

/** All of a publisher's requests for a session; `tasks` appears in the comment. */
async function publish(known: Deps): Promise<OpenedPull> {
  const deps = { ...known, viewer: await readViewer(known.github) };
  const opened = await openPull(deps, wantedPull());
  if (opened.kind === "full") throw new Error("There is only one.");
  const marker = metricsMarker(run);
  const { number } = opened.pull;
  await upsertComment(deps, { number, marker, body: `${marker}\n\n10 of 10 tasks\n` });
  await upsertCheckRun(deps, {
    name: "ralph",
    sessionId: run,
    head,
    conclusion: "success",
    title: "10 of 10 tasks passed",
    summary: "All of it.",
    annotations,
  });
  await markReady(deps, opened.pull);
  await checkCiStart(deps, { head });
  return opened;
}

/** Repeats a job after each failure; returns the number of tries. */
async function publishUntilDone(fake: FakeGitHub): Promise<number> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    try {
      await publish(depsFor(fake));
      return attempt;
    } catch (error) {
      if (!(error instanceof RalphError)) throw error;
      await fakeClock.sleep(60_000);
    }
  }
  return Number.POSITIVE_INFINITY;
}

/** Holds for every run, whatever has failed. */
function expectOnce({ state, violations, repository }: FakeGitHub): void {
  const lines = state.checkRuns.flatMap((each) =>
    (each.annotations as CheckAnnotation[]).map(({ start_line }) => start_line),
  );
  expect(
    {
      pulls: state.pulls.map(({ draft }) => draft),
      comments: state.comments.length,
      checkRuns: state.checkRuns.map(({ conclusion }) => conclusion),
      lines,
      violations,
    },
    repository,
  ).toEqual({
    pulls: [false],
    comments: 1,
    checkRuns: ["success"],
    lines: annotations.map(({ start_line }) => start_line),
    violations: [],
  });
}

test(`${runs} runs with a fault in every fifth request: one of each, within the limits`, async ({
  task: { meta },
}) => {
  meta.figure = `${runs} runs`;
  const fakes = Array.from({ length: runs }, (_, seed) => {
    const fake = createFakeGitHub({ repository: `chaos/r${seed}` });
    fake.breakBy(randomFaults(seed, share));
    return fake;
  });
  const attempts = await inFakeTime(fakes, () => Promise.all(fakes.map(publishUntilDone)));
  for (const fake of fakes) expectOnce(fake);
  expect(Math.max(...attempts)).toBeLessThanOrEqual(mostAttempts);
  expect(new Set(fakes.flatMap(({ faults }) => faults))).toEqual(new Set(faultKinds));
});

test("while GitHub is down nothing is done twice, and the error says to try again", async () => {
  const fake = createFakeGitHub({ repository: "chaos/down" });
  fake.breakBy(() => "5xx-before");
  const error = await inFakeTime([fake], () => publish(depsFor(fake)).catch((error) => error));
  expect(error).toMatchObject({ exitCode: 15, remedy: expect.stringContaining("Try again later") });
  expect(fake.violations).toEqual([]);
  fake.breakBy(() => undefined);
  await inFakeTime([fake], () => publish(depsFor(fake)));
  expectOnce(fake);
});

test("a run of ten tasks takes at most 25 requests, also when no CI starts", async () => {
  const fake = createFakeGitHub({ repository: "chaos/count" });
  await inFakeTime([fake], () => publish(depsFor(fake)));
  expectOnce(fake);
  expect(fake.seen.length).toBeLessThanOrEqual(25);
  const before = fake.seen.length;
  await inFakeTime([fake], () => publish(depsFor(fake)));
  expectOnce(fake);
  const again = fake.seen
    .slice(before)
    .filter(({ method, path }) => method !== "GET" && !path.endsWith("graphql"));
  expect(again).toEqual([]);
});

test("the same over a real connection", async () => {
  const fake = createFakeGitHub({ repository: "o/real" });
  fake.state.workflowRuns.push({
    id: 1,
    name: "CI",
    head_sha: head,
    status: "queued",
    conclusion: null,
  });
  fake.breakBy(({ method, path }, count) =>
    method === "POST" && path.endsWith("/pulls") && count < 9 ? "reset-after" : undefined,
  );
  await using server = await startGitHubServer(fake.answer);
  const github = createGitHub({ apiUrl: server.apiUrl, token: "t", repository: "o/real" });
  const opened = await publish({ github, clock, findSecrets: () => [] });
  expect(opened.kind).toBe("adopted");
  // In real time a busy machine decides the pause between two writes.
  expectOnce({ ...fake, violations: [] });
});

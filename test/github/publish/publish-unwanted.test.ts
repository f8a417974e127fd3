import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createPublishedProject,
  type PublishedProject,
} from "../../support/github/published-project.ts";
import { createPublisher } from "../../support/github/publishing-session.ts";
import { branch } from "../../support/project/project.ts";

let origin: PublishedProject;
beforeAll(async () => {
  // Its agent only changes a log.
  origin = await createPublishedProject({
    agent: { implementation: "echo noise > debug.log; claim", test_writing: "claim" },
  });
});
afterAll(() => origin[Symbol.asyncDispose]());

const why = /only bookkeeping \(.*\), logs \(debug\.log\) changed/;

test("a low-value change is not pushed: one line of log, and a neutral check run on the start commit", async () => {
  const machine = origin.copy("unwanted");
  const publisher = createPublisher(machine);
  const published = await publisher.publish();
  expect(published).toMatchObject({
    branch: { kind: "unwanted" },
    lowValueReason: expect.stringMatching(why),
  });
  expect(published.pull).toBeUndefined();
  expect(publisher.acts).toEqual(["POST check-runs"]);
  expect(publisher.lines).toEqual([
    expect.stringMatching(/^Nothing is published: only bookkeeping/),
  ]);
  expect(machine.remoteGit("for-each-ref", `refs/heads/${branch}`)).toBe("");
  const start = machine.remoteGit("rev-parse", "main");
  expect(publisher.fake.state.checkRuns).toMatchObject([
    { head_sha: start, conclusion: "neutral", output: { summary: expect.stringMatching(why) } },
  ]);
  await publisher.publish();
  expect(publisher.acts).toEqual(["POST check-runs"]);
});

test("without the API there is only the line of log", async () => {
  const machine = origin.copy("alone");
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  expect(await machine.publish({ log })).toMatchObject({ kind: "unwanted" });
  expect(lines).toEqual([expect.stringMatching(why)]);
});

test("a forbidden check run is reported, and is not a failure", async () => {
  const machine = origin.copy("forbidden");
  const publisher = createPublisher(machine);
  const { answer } = publisher.fake;
  Object.assign(publisher.fake, {
    answer: (seen: Parameters<typeof answer>[0]) =>
      seen.path.includes("check-runs") ? { status: 403, body: { message: "no" } } : answer(seen),
  });
  expect(await publisher.publish()).toMatchObject({ branch: { kind: "unwanted" } });
  expect(publisher.lines[1]).toMatch(/^Skipped: /);
});

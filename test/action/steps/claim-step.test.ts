import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { reportItem } from "../../../src/action/inputs/read-request.ts";
import type { ActionStep } from "../../../src/action/step.ts";
import { claimStep, releaseStep } from "../../../src/action/steps/claim-step.ts";
import type { Environment } from "../../../src/platform/system.ts";
import { stepContext } from "../../support/action/step.ts";
import { createFakeGitHub, type FakeGitHub } from "../../support/github/fake-github.ts";
import { addressOf, inFakeTime } from "../../support/github/fake-time.ts";
import { createTestSystem } from "../../support/project/system.ts";
import { parseCommandFile } from "../../support/runner/command-files.ts";

afterEach(() => vi.unstubAllEnvs());

type Job = { inputs?: Record<string, string>; env?: Environment };
let count = 0;

/** A GitHub whose jobs claim and release; each has a repository of its own, so that none waits for another. */
function createJobs(settings: { mayOpenPulls?: boolean } = {}) {
  const repository = `octo/claim-${count++}`;
  const fake = createFakeGitHub({ repository, ...settings });
  fake.state.permissions.ada = { permission: "write", role_name: "maintain" };
  const run = async (step: ActionStep, { inputs = {}, env = {} }: Job = {}) => {
    const job = {
      GITHUB_API_URL: addressOf(fake),
      GITHUB_REPOSITORY: repository,
      GITHUB_RUN_ID: "1001",
      GITHUB_EVENT_NAME: "schedule",
      GITHUB_ACTOR: "ada",
      GITHUB_TRIGGERING_ACTOR: "ada",
    };
    await using system = await createTestSystem({ env: { ...job, ...env } });
    const output = join(system.root, "output");
    writeFileSync(output, "");
    vi.stubEnv("GITHUB_OUTPUT", output);
    // In the time GitHub lives in.
    const clock = { ...system.clock, now: () => Date.now() };
    const command = step === claimStep ? "claim" : "release";
    const all = { command, ...inputs };
    const context = stepContext({ ...system, clock }, { inputs: all, handed: "t0ken" });
    const result = await inFakeTime([fake], () => step(context).catch((error: unknown) => error));
    const { claim } = parseCommandFile(readFileSync(output, "utf8"));
    return { result, claim, printed: context.printed() };
  };
  return { fake, run };
}

const tipOf = ({ state: { git } }: FakeGitHub, item: string) => {
  const message = git.commits[git.refs[`refs/ralph/claims/${item}`] ?? ""]?.message ?? "{}";
  return JSON.parse(message.slice(message.indexOf("{")));
};

describe("the item a job claims", () => {
  test.each([
    ["all reports", {}, "reports"],
    ["an issue", { "issue-number": "12" }, "issue-12"],
    ["a report", { report: "reports/may.md" }, reportItem("reports/may.md")],
    [
      "all reports, with an issue to choose from",
      { "issue-number": "12", "reports-dir": "r" },
      "reports",
    ],
  ])("is %s, for the run, with a lease beyond the job's own time", async (_, inputs, item) => {
    const { fake, run } = createJobs();
    const { result, claim, printed } = await run(claimStep, {
      inputs: { ...inputs, "timeout-minutes": "45" },
    });
    expect([result, claim]).toEqual([
      0,
      `${item}:${fake.state.git.refs[`refs/ralph/claims/${item}`]}`,
    ]);
    const { holder, url, expires_at: until } = tipOf(fake, item);
    expect([holder, url]).toEqual([
      "1001",
      `https://github.com/${fake.repository}/actions/runs/1001`,
    ]);
    expect(until).toMatch(/^2026-01-25T18:30:/);
    expect(printed).toBe(`Claimed ${item} until ${until}.\n`);
  });

  test("is the same for every spelling of a report's path", () => {
    expect(reportItem("./reports//a/../may.md")).toBe(reportItem("reports/may.md"));
    expect(reportItem("reports/May.md")).not.toBe(reportItem("reports/may.md"));
    expect(reportItem("x")).toMatch(/^report-[0-9a-f]{16}$/);
  });

  test("is that of the continued run", async () => {
    const { fake, run } = createJobs();
    await run(claimStep, { inputs: { "issue-number": "12" } });
    const { claim } = await run(claimStep, {
      // A workflow may hand over its usual issue all the same.
      inputs: { "resume-from": "1001", "issue-number": "13" },
      env: { GITHUB_RUN_ID: "1002" },
    });
    expect(claim).toMatch(/^issue-12:/);
    expect(tipOf(fake, "issue-12").holder).toBe("1002");
    const plain = await run(claimStep, {
      inputs: { "resume-from": "7" },
      env: { GITHUB_RUN_ID: "1003" },
    });
    expect(plain.claim).toMatch(/^reports:/);
  });
});

test("a repository that lets jobs open no pull requests is refused before the claim", async () => {
  const { fake, run } = createJobs({ mayOpenPulls: false });
  const { result } = await run(claimStep);
  expect(result).toMatchObject({ exitCode: 15, remedy: expect.stringMatching(/^Tick "Allow/) });
  expect(Object.keys(fake.state.git.refs)).toEqual([]);
  const without = await run(claimStep, { inputs: { "create-pr": "false" } });
  expect(without.result).toBe(0);
});

test("a publishing job with a token of its own is not asked about the job's rights", async () => {
  const { run } = createJobs({ mayOpenPulls: false });
  const { result } = await run(claimStep, { env: { RALPH_OTHER_TOKEN: "true" } });
  expect(result).toBe(0);
});

test("a claim of the App is taken over, even if another run waits for it", async () => {
  const { fake, run } = createJobs();
  const app = { env: { GITHUB_RUN_ID: "5d7e3a52-0000-8000-a000-000000000000" } };
  const { claim: theirs = "" } = await run(claimStep, { inputs: { "issue-number": "12" }, ...app });
  const stranger = { inputs: { "issue-number": "12" }, env: { GITHUB_RUN_ID: "1002" } };
  expect((await run(claimStep, stranger)).result).toMatchObject({ exitCode: 24 });
  const handed = { env: { RALPH_CLAIM: theirs } };
  const { result, claim } = await run(claimStep, handed);
  expect([result, claim]).toEqual([0, expect.stringMatching(/^issue-12:/)]);
  expect(tipOf(fake, "issue-12")).toMatchObject({ holder: "1001", state: "held" });
  expect(tipOf(fake, "issue-12")).toMatchObject({ request: { overridesRejection: false } });
  // A second run of the same start comes too late.
  const twin = await run(claimStep, { env: { RALPH_CLAIM: theirs, GITHUB_RUN_ID: "1003" } });
  expect(twin.result).toMatchObject({ exitCode: 24 });
  const lie = { env: { RALPH_CLAIM: theirs.replace("issue-12", "issue-13") } };
  expect((await run(claimStep, lie)).result).toMatchObject({ exitCode: 24 });
});

test("the reports and an alternative issue are one claim, and no other run works on the issue", async () => {
  const { fake, run } = createJobs();
  const both = { "issue-number": "12", "reports-dir": "reports" };
  await run(claimStep, { inputs: both });
  expect(tipOf(fake, "reports")).toMatchObject({
    ...{ holder: "1001", request: { alternativeIssue: 12 } },
  });
  const other = { inputs: { "issue-number": "12" }, env: { GITHUB_RUN_ID: "1002" } };
  expect((await run(claimStep, other)).result).toMatchObject({ exitCode: 24 });
});

test("the claim records a command as such, and no other event", async () => {
  const { fake, run } = createJobs();
  await run(claimStep, { env: { GITHUB_EVENT_NAME: "workflow_dispatch" } });
  expect(tipOf(fake, "reports")).toMatchObject({ request: { overridesRejection: true } });
  const job = { inputs: { "issue-number": "12" }, env: { GITHUB_EVENT_NAME: "issues" } };
  await run(claimStep, job);
  expect(tipOf(fake, "issue-12")).toMatchObject({ request: { overridesRejection: false } });
});

test("of two runs for one issue the second ends with 24, until the first releases it", async () => {
  const { fake, run } = createJobs();
  const second = { inputs: { "issue-number": "12" }, env: { GITHUB_RUN_ID: "1002" } };
  const { claim } = await run(claimStep, { inputs: { "issue-number": "12" } });
  expect((await run(claimStep, second)).result).toMatchObject({ exitCode: 24 });
  const released = await run(releaseStep, { env: { RALPH_CLAIM: claim } });
  expect([released.result, released.printed]).toEqual([0, "issue-12 is free again.\n"]);
  expect((await run(claimStep, second)).result).toBe(0);
  const late = await run(releaseStep, { env: { RALPH_CLAIM: claim } });
  expect(late.printed).toBe("issue-12 now belongs to another run and was not released.\n");
  expect(tipOf(fake, "issue-12")).toMatchObject({ holder: "1002", state: "held" });
});

test.each([
  ["issues", "mallory", "ada"],
  ["issue_comment", "ada", "mallory"],
  ["pull_request_target", "ada", "ada"],
  ["", "ada", "ada"],
])("an event %j by %s, run again by %s, takes nothing", async (event, actor, again) => {
  const { fake, run } = createJobs();
  const env = {
    GITHUB_EVENT_NAME: event,
    GITHUB_ACTOR: actor,
    GITHUB_TRIGGERING_ACTOR: again,
  };
  const { result, claim } = await run(claimStep, { env });
  expect(result).toMatchObject({ exitCode: 1 });
  expect([claim, fake.state.git.refs]).toEqual([undefined, {}]);
});

describe("a job that claims", () => {
  test("nothing has nothing to release, and needs no token", async () => {
    const { fake, run } = createJobs();
    const { result, printed } = await run(releaseStep, { env: { RALPH_CLAIM: "" } });
    expect([result, printed, fake.seen]).toEqual([0, "", []]);
  });

  test("an invalid claim is an error", async () => {
    const { run } = createJobs();
    const { result } = await run(releaseStep, { env: { RALPH_CLAIM: "refs/heads/main:x" } });
    expect(result).toMatchObject({ exitCode: 1 });
  });

  test("a claim it cannot release is only warned about", async () => {
    const { fake, run } = createJobs();
    const { claim } = await run(claimStep);
    fake.breakBy(({ method }) => (method === "GET" ? undefined : "401"));
    const { result, printed } = await run(releaseStep, { env: { RALPH_CLAIM: claim } });
    expect(result).toBe(0);
    expect(printed).toMatch(
      /^::warning title=ralph::reports stays claimed until its lease expires: .*delete refs\/ralph\/claims\/reports\.\n$/,
    );
  });
});

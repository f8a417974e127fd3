import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampled, thorough } from "../../setup/sampled.ts";
import {
  createPublishedProject,
  type Machine,
  type PublishedProject,
} from "../../support/github/published-project.ts";
import { ada, bot, pullOf } from "../../support/github/publishing.ts";
import {
  createPublisher,
  type Publisher,
  type Watch,
} from "../../support/github/publishing-session.ts";
import { branch } from "../../support/project/project.ts";

let origin: PublishedProject;
beforeAll(async () => {
  origin = await createPublishedProject();
});
afterAll(() => origin[Symbol.asyncDispose]());

const head = () => origin.committed.at(-1)?.commit ?? "";
const tipOf = ({ remoteGit }: Machine) =>
  remoteGit("for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`);
const subjects = ({ remoteGit }: Machine) =>
  remoteGit("log", "--format=%s", `main..${branch}`).split("\n");
const sessionId = ({ remoteGit }: Machine) =>
  /(?<=Ralph-Session: )\S+/.exec(remoteGit("log", "-1", "--format=%B", head()))?.[0] ?? "";

const everything = [
  "push",
  "POST pulls",
  "push",
  "mutation",
  "POST issues/{issue_number}/comments",
  "POST check-runs",
];

function ciStarts(machine: Machine, { fake }: Publisher): void {
  fake.state.workflows.push({ path: ".github/workflows/ci.yml", name: "ci", state: "active" });
  fake.state.workflowRuns.push({
    id: 7,
    name: "ci",
    head_sha: tipOf(machine),
    status: "queued",
    conclusion: null,
  });
}

/** Exactly one of everything, and the branch at its one last commit. */
function expectWhole(machine: Machine, { fake }: Publisher): void {
  const { pulls, comments, checkRuns } = fake.state;
  expect(pulls).toMatchObject([{ draft: false, head: { ref: branch }, base: { ref: "main" } }]);
  expect(comments).toHaveLength(1);
  expect(checkRuns).toMatchObject([{ head_sha: tipOf(machine), conclusion: "success" }]);
  const id = sessionId(machine);
  expect(subjects(machine)).toEqual([
    `chore(ralph): run record of ${id}`,
    expect.stringMatching(/^feat\(T-001\)/),
  ]);
  expect(machine.remoteGit("rev-parse", `${branch}^`)).toBe(head());
  const names = machine.remoteGit("diff", "--name-only", `${branch}^`, branch);
  expect(names).toBe(`.ralph/autopilot/runs/${id}.json`);
  expect(JSON.parse(machine.remoteGit("show", `${branch}:${names}`))).toMatchObject({
    run_id: id,
    status: "completed",
    proof: "in_place",
    pr_created: true,
    pr_url: pulls[0]?.html_url,
  });
}

/** After a kill nothing more happens. */
function killer(at: number, when: "before" | "after"): Watch {
  let acts = 0;
  let isDead = false;
  const live = (isOver: boolean) => {
    isDead ||= isOver;
    if (isDead) throw new Error("killed");
  };
  return {
    before: () => live(when === "before" && acts === at),
    after: () => live(acts++ === at && when === "after"),
  };
}

describe("a session", () => {
  test("becomes a branch, a pull request that is ready, a comment and a check run; twice changes nothing", async () => {
    const machine = origin.copy("whole");
    const publisher = createPublisher(machine);
    expect(await publisher.publish()).toMatchObject({
      branch: { kind: "pushed", commit: head() },
      pull: { kind: "created", number: 1, draft: false },
    });
    expect(publisher.acts).toEqual(everything);
    expectWhole(machine, publisher);
    expect(publisher.lines.join("\n")).toMatch(/Pull request #1 is ready for review/);
    const again = await publisher.publish();
    expect(again).toMatchObject({ branch: { kind: "up-to-date" }, pull: { kind: "adopted" } });
    expect(publisher.acts).toEqual(everything);
    expectWhole(machine, publisher);
    expect(publisher.fake.violations).toEqual([]);
  });

  const moments = everything.flatMap((_, at) => [
    { at, when: "before" as const },
    { at, when: "after" as const },
  ]);
  test.each(sampled(moments, 1))(
    "killed $when act $at is complete after another try",
    async ({ at, when }) => {
      const machine = origin.copy(`killed-${when}-${at}`);
      const publisher = createPublisher(machine);
      await expect(publisher.publish({}, killer(at, when))).rejects.toThrow("killed");
      await publisher.publish();
      expectWhole(machine, publisher);
      expect(publisher.acts.toSorted()).toEqual(everything.toSorted());
    },
  );

  thorough("reports whether CI has started", async () => {
    const machine = origin.copy("ci");
    const publisher = createPublisher(machine);
    await publisher.publish();
    expect(publisher.lines.at(-1)).toBe("The repository has no CI.");
    ciStarts(machine, publisher);
    await publisher.publish();
    expect(publisher.lines.at(-1)).toBe("CI has started: ci.");
  });
});

describe("a pull request stays a draft", () => {
  test.each([
    ["when drafts are requested", { staysDraft: true }, /drafts were requested/],
    ["without a clean room when one is required", { acceptsInPlace: false }, /clean room/],
  ])("%s", async (what, request, says) => {
    const machine = origin.copy(`draft ${what}`);
    const publisher = createPublisher(machine);
    expect(await publisher.publish(request)).toMatchObject({ pull: { draft: true } });
    expect(publisher.lines.join("\n")).toMatch(says);
  });

  test("until the clean room has proved it, as its record then shows", async () => {
    const machine = origin.copy("proved-later");
    const publisher = createPublisher(machine);
    await publisher.publish({ acceptsInPlace: false });
    await publisher.publish({ acceptsInPlace: false, proof: "clean_room" });
    expect(publisher.fake.state.pulls).toMatchObject([{ draft: false }]);
    const id = sessionId(machine);
    const twice = [`chore(ralph): run record of ${id}`, `chore(ralph): run record of ${id}`];
    expect(subjects(machine)).toEqual([...twice, expect.stringMatching(/^feat/)]);
    await publisher.publish({ acceptsInPlace: false, proof: "clean_room" });
    expect(subjects(machine)).toHaveLength(3);
    const record = machine.remoteGit(
      "show",
      `${branch}:.ralph/autopilot/runs/${sessionId(machine)}.json`,
    );
    expect(JSON.parse(record)).toMatchObject({ proof: "clean_room" });
  });
});

describe("no pull request is opened, without an error,", () => {
  test("when another one by ralph is open: the branch is still pushed", async () => {
    const machine = origin.copy("full");
    const publisher = createPublisher(machine);
    const repo = { full_name: publisher.fake.repository };
    const other = pullOf({ head: { ref: "ralph/other", sha: head(), repo } });
    publisher.fake.state.pulls.push({ ...other, base: { ref: "main", sha: "b".repeat(40), repo } });
    other.body = "";
    const result = await publisher.publish();
    expect(result.pull).toBeUndefined();
    expect(publisher.lines.join("\n")).toMatch(/other pull requests by ralph are open: https/);
    expect(tipOf(machine)).toBe(head());
  });

  test.each([
    ["merged", "2026-01-25T16:00:00Z", /already merged/],
    ["rejected", null, /not opened again/],
  ])("when it was %s: nothing is pushed to a branch that is gone", async (kind, merged, says) => {
    const machine = origin.copy(`decided-${kind}`);
    const publisher = createPublisher(machine);
    await publisher.publish();
    const [pull] = publisher.fake.state.pulls;
    if (pull) Object.assign(pull, { state: "closed", merged_at: merged });
    machine.remoteGit("update-ref", "-d", `refs/heads/${branch}`);
    expect(await publisher.publish()).toMatchObject({ pull: { kind, number: 1 } });
    expect(publisher.lines.at(-1)).toMatch(says);
    expect(tipOf(machine)).toBe("");
    expect(publisher.acts).toEqual(everything);
  });

  test("when none is wanted: only the branch is pushed", async () => {
    const machine = origin.copy("none");
    const publisher = createPublisher(machine);
    expect(await publisher.publish({ github: undefined })).toMatchObject({
      branch: { kind: "pushed" },
    });
    expect(publisher.fake.seen).toEqual([]);
    expect(tipOf(machine)).toBe(head());
  });

  thorough("when none is wanted any more: the existing one is left alone", async () => {
    const machine = origin.copy("none-any-more");
    const publisher = createPublisher(machine);
    await publisher.publish();
    expect(await publisher.publish({ github: undefined })).toMatchObject({
      branch: { kind: "up-to-date" },
    });
    expectWhole(machine, publisher);
  });
});

describe("another account", () => {
  test("that pushed on top of the last commit keeps its commits", async () => {
    const machine = origin.copy("person");
    const publisher = createPublisher(machine);
    await publisher.publish();
    const theirs = machine.personPushes(branch);
    await expect(publisher.publish()).rejects.toMatchObject({ reason: "git" });
    expect(tipOf(machine)).toBe(theirs);
  });

  test("that opened a pull request for the branch keeps it, and is named", async () => {
    const machine = origin.copy("foreign");
    const publisher = createPublisher(machine);
    const repo = { full_name: publisher.fake.repository };
    const theirs = pullOf({ user: ada, head: { ref: branch, sha: head(), repo } });
    publisher.fake.state.pulls.push({
      ...theirs,
      base: { ref: "main", sha: "b".repeat(40), repo },
    });
    await expect(publisher.publish()).rejects.toMatchObject({
      reason: "pr",
      message: expect.stringContaining("ada"),
    });
    expect(tipOf(machine)).toBe(head());
  });

  test("that forbids check runs causes a line of log, not a failure", async () => {
    const machine = origin.copy("no-checks");
    const publisher = createPublisher(machine);
    const { fake } = publisher;
    const { answer } = fake;
    Object.assign(fake, {
      answer: (seen: Parameters<typeof answer>[0]) =>
        seen.path.includes("check-runs")
          ? { status: 403, body: { message: "Resource not accessible by integration" } }
          : answer(seen),
    });
    expect(await publisher.publish()).toMatchObject({ pull: { draft: false } });
    expect(publisher.lines.join("\n")).toMatch(/Skipped: .*`checks: read`/);
    expect(bot.login).toBe(fake.state.pulls[0]?.user.login);
  });
});

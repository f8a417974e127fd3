import { describe, expect, test } from "vitest";
import { readViewer } from "../../../src/github/api/viewer.ts";
import { listOwnPulls } from "../../../src/github/pulls/pull.ts";
import { openPull } from "../../../src/github/pulls/pull-request.ts";
import { faultKinds } from "../../support/github/fake-faults.ts";
import {
  ada,
  breakFirst,
  publishing,
  pullOf,
  run,
  wantedPull,
} from "../../support/github/publishing.ts";

const open = (more = {}) =>
  ((deps) => openPull(deps, wantedPull(more))) as Parameters<typeof publishing>[0];

test("a pull request is opened once, as a draft", async () => {
  const { result, fake, writes } = await publishing(async (deps) => [
    await openPull(deps, wantedPull()),
    await openPull(deps, wantedPull()),
  ]);
  expect(result).toMatchObject([{ kind: "created" }, { kind: "adopted" }]);
  expect(fake.state.pulls).toMatchObject([
    { draft: true, title: "Ralph: example", head: { ref: "ralph/example" }, base: { ref: "main" } },
  ]);
  expect(writes).toEqual(["POST pulls"]);
});

test("an existing pull request by ralph is updated", async () => {
  const prepare = ({ state }: { state: { pulls: unknown[] } }) =>
    state.pulls.push(pullOf({ title: "Old" }));
  const { result, fake, writes } = await publishing(open(), { prepare });
  expect(result).toMatchObject({ kind: "adopted", pull: { title: "Ralph: example" } });
  expect(fake.state.pulls).toHaveLength(1);
  expect(writes).toEqual(["PATCH pulls/1"]);
});

describe("after a failure of the create", () => {
  const ends = {
    "5xx-before": /refused to open a pull request/,
    "reset-before": /request to open a pull request .* did not reach GitHub/,
    "hang-before": /request to open a pull request .* did not reach GitHub/,
    "422": /Validation Failed/,
    "401": /Bad credentials/,
  } as Record<string, RegExp>;

  test.each(faultKinds.filter((kind) => kind !== "stale-read"))(
    "%s there is never more than one, and it is sent once",
    async (kind) => {
      const prepare = (fake: Parameters<typeof breakFirst>[0]) =>
        breakFirst(fake, { match: /^POST .*\/pulls$/, kind });
      const { result, fake, writes } = await publishing(open(), { prepare });
      const end = ends[kind];
      if (end) {
        expect(result).toMatchObject({ reason: "pr", message: expect.stringMatching(end) });
      } else {
        expect(result).toMatchObject({ kind: kind.endsWith("after") ? "adopted" : "created" });
      }
      expect(fake.state.pulls).toHaveLength(end ? 0 : 1);
      expect(fake.faults).toEqual([kind]);
      // A rate limit is a refusal with a time to try again.
      expect(writes).toHaveLength(kind.endsWith("limit") ? 2 : 1);
      expect(fake.violations).toEqual([]);
    },
  );

  /** Opens one between the publisher's search and its create. */
  const race = (rival: Parameters<typeof pullOf>[0]) =>
    publishing(open(), {
      prepare: ({ state, breakBy, repository }) =>
        breakBy(({ method }) => {
          if (method !== "POST" || state.pulls.length > 0) return undefined;
          const head = { ref: "ralph/example", sha: "", repo: { full_name: repository } };
          state.pulls.push(pullOf({ ...rival, head, base: { ...head, ref: "main" } }));
          return undefined;
        }),
    });

  test("a pull request by ralph that was opened in between is adopted", async () => {
    const { result, fake } = await race({});
    expect(result).toMatchObject({ kind: "adopted", pull: { number: 1 } });
    expect(fake.state.pulls).toHaveLength(1);
  });

  test("a person's pull request that was opened in between is left alone", async () => {
    const { result, fake } = await race({ user: ada, body: "Mine." });
    expect(result).toMatchObject({
      reason: "pr",
      message: expect.stringContaining("is already open, by ada instead of github-actions[bot]"),
    });
    expect(fake.state.pulls).toMatchObject([{ body: "Mine." }]);
  });
});

test("a branch GitHub does not know yet is retried, but not forever", async () => {
  const late = await publishing(open(), { unknownBranch: 2 });
  expect(late.result).toMatchObject({ kind: "created" });
  const never = await publishing(open(), { unknownBranch: 99 });
  expect(never.result).toMatchObject({ reason: "pr", message: /"field":"head"/ });
  expect(never.writes).toHaveLength(3);
});

test("a repository without drafts gets a normal pull request", async () => {
  const { result, fake } = await publishing(open(), { hasDrafts: false });
  expect(result).toMatchObject({ kind: "created", pull: { draft: false } });
  expect(fake.state.pulls).toHaveLength(1);
});

test("when jobs may not open pull requests, the error names the setting", async () => {
  const { result } = await publishing(open(), { mayOpenPulls: false });
  expect(result).toMatchObject({
    exitCode: 15,
    remedy: expect.stringContaining("Allow GitHub Actions to create and approve pull requests"),
  });
});

test.each([
  ["merged", { state: "closed", merged_at: "2026-01-26T00:00:00Z" }, "merged"],
  ["closed by a person", { state: "closed" }, "rejected"],
] as const)("what was %s is not opened again", async (_, more, kind) => {
  const { result, writes } = await publishing(open(), {
    prepare: ({ state }) => state.pulls.push(pullOf(more)),
  });
  expect(result).toMatchObject({ kind, pull: { number: 1 } });
  expect(writes).toEqual([]);
});

test("a pull request is found behind hundreds of others, and the search ends at the start of the run", async () => {
  const old = Array.from({ length: 1000 }, (_, at) =>
    pullOf({
      number: at + 2,
      body: "x",
      user: ada,
      state: "closed",
      head: { ref: `b${at}`, sha: "", repo: { full_name: "o/r" } },
      created_at: new Date(Date.UTC(2026, 0, 25, 20) - at * 3_600_000).toISOString(),
    }),
  );
  const head = { ref: "ralph/renamed", sha: "", repo: { full_name: "o/r" } };
  const mine = pullOf({ state: "closed", head, created_at: "2026-01-25T14:31:00Z" });
  const { result, fake } = await publishing(open(), {
    prepare: ({ state }) => state.pulls.push(...old, mine),
  });
  expect(result).toMatchObject({ kind: "rejected", pull: { number: 1 } });
  expect(fake.seen).toHaveLength(3);
});

test("the limit of open pull requests lists those that are open", async () => {
  const head = { ref: "ralph/other", sha: "", repo: { full_name: "o/r" } };
  const body = wantedPull().body.replace(run, "20260101-000000-aaaaaa");
  const { result, writes } = await publishing(open(), {
    prepare: ({ state }) => state.pulls.push(pullOf({ head, body })),
  });
  expect(result).toMatchObject({ kind: "full", others: [{ number: 1 }] });
  expect(writes).toEqual([]);
});

test("a text with a secret is not published", async () => {
  const { result, fake } = await publishing(open({ title: "correct-horse-battery" }));
  expect(result).toMatchObject({ reason: "firewall", exitCode: 25 });
  expect(String((result as Error).message)).not.toContain("horse");
  expect(fake.seen).toEqual([]);
});

test("all pull requests by ralph are listed with run, item and state, across pages", async () => {
  const theirs = Array.from({ length: 150 }, (_, at) =>
    pullOf({ number: at + 10, user: ada, created_at: "2026-01-26T00:00:00Z" }),
  );
  const own = [
    pullOf({ number: 1 }),
    pullOf({ number: 2, state: "closed" }),
    pullOf({ number: 3, state: "closed", merged_at: "2026-01-26T00:00:00Z" }),
  ];
  const { result } = await publishing(
    async ({ github }) => listOwnPulls(github, await readViewer(github)),
    { prepare: ({ state }) => state.pulls.push(...theirs, ...own) },
  );
  expect(result).toMatchObject([
    { number: 1, run, item: "f00d", state: "open" },
    { number: 2, run, item: "f00d", state: "rejected" },
    { number: 3, run, item: "f00d", state: "merged" },
  ]);
});

import { expect, test } from "vitest";
import { pullStatusOf } from "../../../src/github/pulls/pull.ts";
import { renderPullMarker } from "../../../src/views/pull-request/pull-marker.ts";
import type { FakePull } from "../../support/github/fake-state.ts";
import { ada, pullOf, run, wantedPull } from "../../support/github/publishing.ts";

const claimed = { ...wantedPull(), viewer: { login: "github-actions[bot]" } };
const earlier = "20260101-000000-aaaaaa";
const marked = (run: string, item?: string) => ({
  body: `x\n\n${renderPullMarker({ run, item })}`,
});
const elsewhere = { head: { ref: "ralph/other", sha: "", repo: { full_name: "o/r" } } };
const fork = { head: { ref: "ralph/example", sha: "", repo: { full_name: "eve/r" } } };
const noFork = { head: { ref: "ralph/example", sha: "", repo: null } };
const closed = { state: "closed" } as const;
const merged = { ...closed, merged_at: "2026-01-26T00:00:00Z" };

test.each([
  ["there is no pull request", [], "none"],
  ["ours is open", [pullOf()], "open"],
  ["ours is open, of an earlier run on the branch", [pullOf(marked(earlier))], "open"],
  ["a person's is open on the branch", [pullOf({ user: ada, body: "Mine." })], "foreign"],
  ["a person's is open with our marker copied", [pullOf({ user: ada })], "foreign"],
  ["ours without its marker", [pullOf({ body: "Edited." })], "foreign"],
  ["a pull request of a fork has our branch and marker", [pullOf({ ...fork, user: ada })], "none"],
  ["a pull request of a deleted fork", [pullOf(noFork)], "none"],
  ["ours was merged", [pullOf(merged)], "merged"],
  ["ours was closed", [pullOf(closed)], "rejected"],
  ["ours was closed, from another branch", [pullOf({ ...closed, ...elsewhere })], "rejected"],
  [
    "the item was rejected in an earlier run",
    [pullOf({ ...closed, ...marked(earlier, "f00d") })],
    "rejected",
  ],
  [
    "the item was merged in an earlier run",
    [pullOf({ ...merged, ...marked(earlier, "f00d") })],
    "none",
  ],
  ["another item was rejected", [pullOf({ ...closed, ...marked(earlier, "beef") })], "none"],
  [
    "an earlier run's without an item was closed",
    [pullOf({ ...closed, ...marked(earlier) })],
    "none",
  ],
  ["a person closed their own with our marker", [pullOf({ ...closed, user: ada })], "none"],
  ["another pull request by ralph is open", [pullOf({ ...elsewhere, ...marked(earlier) })], "full"],
  ["another of a person is open", [pullOf({ ...elsewhere, user: ada, body: "x" })], "none"],
  ["ours is open and was closed before", [pullOf(closed), pullOf()], "open"],
] as [string, FakePull[], string][])("%s: the run's status", (_, pulls, kind) => {
  expect(pullStatusOf(pulls, claimed).kind).toBe(kind);
});

test("after a person's command, only a rejection of the run itself counts", () => {
  const before = [pullOf({ ...closed, ...elsewhere, ...marked(earlier, "f00d") })];
  expect(pullStatusOf(before, claimed).kind).toBe("rejected");
  expect(pullStatusOf(before, { ...claimed, overridesRejection: true }).kind).toBe("none");
  expect(pullStatusOf([pullOf(closed)], { ...claimed, overridesRejection: true }).kind).toBe(
    "rejected",
  );
});

test("a run without an item is not stopped by a closed pull request without one", () => {
  const pulls = [pullOf({ ...closed, ...marked(earlier) })];
  expect(pullStatusOf(pulls, { ...claimed, marker: { run } }).kind).toBe("none");
});

test("only open pull requests by ralph count towards the limit", () => {
  const pulls = [pullOf({ ...elsewhere, ...marked(earlier) })];
  expect(pullStatusOf(pulls, { ...claimed, maxOpen: 2 }).kind).toBe("none");
});

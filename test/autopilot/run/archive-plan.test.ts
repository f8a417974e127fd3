import { expect, test } from "vitest";
import { archivePlan, needsArchive } from "../../../src/autopilot/run/archive-plan.ts";

const request = {
  ...{ folder: ".ralph/archive", branch: "ralph/add-user-auth", prefix: "ralph/" },
  startedAt: Date.parse("2026-01-25T23:59:59Z"),
  sources: {
    "prd.json": ".ralph/prd.json",
    "progress.txt": ".ralph/progress.txt",
    "analysis.json": ".ralph/autopilot/analysis.json",
  },
  taken: [],
} as const;

test("the files of a run go to a folder of its day and item", () => {
  expect(archivePlan(request)).toEqual({
    folder: ".ralph/archive/20260125-add-user-auth",
    copies: [
      { from: ".ralph/prd.json", to: ".ralph/archive/20260125-add-user-auth/prd.json" },
      { from: ".ralph/progress.txt", to: ".ralph/archive/20260125-add-user-auth/progress.txt" },
      {
        from: ".ralph/autopilot/analysis.json",
        to: ".ralph/archive/20260125-add-user-auth/analysis.json",
      },
    ],
  });
});

test("a folder that is taken gets the next free number", () => {
  const taken = ["20260125-add-user-auth", "20260125-ADD-user-auth-2", "20260124-add-user-auth-3"];
  expect(archivePlan({ ...request, taken })?.folder).toBe(
    ".ralph/archive/20260125-add-user-auth-3",
  );
});

test("nothing is archived when it is switched off, or when there is nothing", () => {
  expect(archivePlan({ ...request, folder: false })).toBeUndefined();
  expect(archivePlan({ ...request, sources: {} })).toBeUndefined();
});

test("a list of another branch is archived before it is written over", () => {
  expect(needsArchive(undefined, "ralph/a")).toBe(false);
  expect(needsArchive({ branchName: "ralph/a" }, "ralph/a")).toBe(false);
  expect(needsArchive({ branchName: "ralph/b" }, "ralph/a")).toBe(true);
});

import { expect, test } from "vitest";
import { archiveFolder, replacedRun } from "../../../src/autopilot/run/archive.ts";

const run = {
  ...{ branch: "ralph/add-user-auth", prefix: "ralph/" },
  startedAt: Date.parse("2026-01-25T23:59:59Z"),
  taken: [],
};

test("a run is archived in a folder named after its day and its item", () => {
  expect(archiveFolder("./.ralph/archive", run)).toBe(".ralph/archive/20260125-add-user-auth");
});

test("a folder that is taken gets the next free number", () => {
  const taken = ["20260125-add-user-auth", "20260125-ADD-user-auth-2", "20260124-add-user-auth-3"];
  expect(archiveFolder(".ralph/archive", { ...run, taken })).toBe(
    ".ralph/archive/20260125-add-user-auth-3",
  );
});

test("only the list of another branch is archived before it is overwritten", () => {
  const task = { id: "T-001", title: "Log in", description: "Log in.", priority: 1 };
  const list = (branchName?: string) =>
    JSON.stringify({
      ...{ version: "1", project: "Login", branchName, description: "Users log in." },
      tasks: [{ ...task, acceptanceCriteria: ["It works"], passes: false, notes: "" }],
    });
  expect(replacedRun(list("ralph/b"), "ralph/a")).toMatchObject({ branchName: "ralph/b" });
  expect(replacedRun(list("ralph/a"), "ralph/a")).toBeUndefined();
  expect(replacedRun(list(), "ralph/a")).toBeUndefined();
  expect(replacedRun("no list", "ralph/a")).toBeUndefined();
  expect(replacedRun(undefined, "ralph/a")).toBeUndefined();
});

import { describe, expect, test } from "vitest";
import type { AutopilotPlan } from "../../../src/schema/autopilot/plan.ts";
import {
  type PlanRules,
  shapeProblems,
  stepProblems,
} from "../../../src/session/bundle/plan-rules.ts";
import { goodAnalysis, goodTasks } from "../../support/autopilot/team.ts";
import { configWith } from "../../support/builders/config.ts";

const none = { mode: "000000", id: "0" };
const change = (path: string, id: string, mode = "100644") => ({
  path,
  before: none,
  after: { mode, id },
});
const step = (...changes: ReturnType<typeof change>[]) => ({ commit: "c".repeat(40), changes });

const rules: PlanRules = {
  files: new Map([
    ["analysis", "1"],
    ["doc", "2"],
    ["list", "3"],
  ]),
  document: "doc",
  archive: "kept",
  copies: new Map([["prd.json", "9"]]),
  base: new Map([
    ["list", "9"],
    ["kept/20260101-old/prd.json", "8"],
  ]),
};
const first = step(change("analysis", "1"), change("doc", "2"));
const second = step(change("list", "3"));

describe("the commits of a plan", () => {
  test("bring what the run says, and copies into one new folder of the archive", () => {
    const copied = step(change("kept/20260125-new/prd.json", "9"), change("list", "3"));
    for (const steps of [
      [first, second],
      [first, copied],
    ]) {
      expect(stepProblems(steps, { rules, hasEdits: false })).toEqual([]);
    }
  });

  test.each([
    ["another file", [first, step(change("src/x.ts", "1"))], /src\/x\.ts .*not a file a plan/],
    [
      "a program",
      [step(change("analysis", "1", "100755"), change("doc", "2")), second],
      /not a plain/,
    ],
    ["a removal", [first, second, step(change("doc", "0", "000000"))], /not a plain file/],
    [
      "what is taken back",
      [step(change("analysis", "7")), first, second],
      /analysis .*has another content/,
    ],
    ["less than was said", [first], /list ends with another content/],
    [
      "a document of before",
      [step(change("doc", "7")), first, second],
      /doc of commit .*has another/,
    ],
    [
      "an old folder",
      [first, step(change("kept/20260101-old/x", "9")), second],
      /not a file a plan/,
    ],
    [
      "no copy",
      [first, step(change("kept/new/prd.json", "7")), second],
      /has another content than the plan/,
    ],
    [
      "a deep folder",
      [first, step(change("kept/new/a/prd.json", "9")), second],
      /not a file a plan/,
    ],
    [
      "an odd folder",
      [first, step(change("kept/.git/prd.json", "9")), second],
      /not a file a plan/,
    ],
  ])("may not bring %s", (_, steps, words) => {
    expect(stepProblems(steps, { rules, hasEdits: false }).join("\n")).toMatch(words);
  });

  test("may hold the document as it was before a person changed it", () => {
    const steps = [
      step(change("analysis", "1"), change("doc", "7")),
      step(change("doc", "2")),
      second,
    ];
    expect(stepProblems(steps, { rules, hasEdits: true })).toEqual([]);
    expect(stepProblems(steps.slice(0, 1), { rules, hasEdits: true }).join("\n")).toMatch(
      /doc ends with/,
    );
  });

  test("bring copies to one folder only", () => {
    const copies = step(change("kept/a/prd.json", "9"), change("kept/b/prd.json", "9"));
    expect(stepProblems([first, copies, second], { rules, hasEdits: false })).toEqual([
      "has more than one folder in the archive",
    ]);
  });
});

const { first_line: _, last_line: __, ...analysis } = goodAnalysis();
const planned = { parent: "", tree: "", date: "", paths: [], commit: "c" };
const listOf = (more: object) =>
  JSON.stringify({
    ...{ project: "p", branchName: "ralph/x", description: "d", metadata: { source: "autopilot" } },
    tasks: goodTasks(1).tasks.map(({ requirements: _, ...task }) => ({
      id: "T-001",
      passes: false,
      notes: "",
      ...task,
    })),
    ...more,
  });
const plan: AutopilotPlan = {
  run_id: "20260125-143052-a7b3c9",
  base: "b",
  task_path: ".ralph/prd.json",
  analyzed: { analysis, fingerprint: "1", source: { path: "r", sha256: "2" } },
  branch: "ralph/x",
  document: { path: "tasks/prd-x.md", text: "", requirements: [] },
  list: listOf({}),
  list_commit: planned,
};

describe("the places of a plan", () => {
  test("are those of the configuration", () => {
    expect(shapeProblems(plan, configWith({}))).toEqual([]);
  });

  test.each<[string, Partial<AutopilotPlan>, RegExp]>([
    [
      "a document elsewhere",
      { document: { ...plan.document, path: "tasks/../x.md" } as never },
      /has its document/,
    ],
    [
      "a document without our name",
      { document: { ...plan.document, path: "tasks/x.md" } as never },
      /has its document/,
    ],
    ["another task list", { task_path: ".ralph/ralph.yml" }, /has its task list at/],
    ["no analysis", { analyzed: undefined }, /no analysis/],
    ["a list nobody can read", { list: "{" }, /has no task list/],
    ["a list of people", { list: listOf({ metadata: {} }) }, /did not write/],
    ["a list for another branch", { list: listOf({ branchName: "main" }) }, /another branch/],
  ])("and %s is refused", (_, more, words) => {
    expect(shapeProblems({ ...plan, ...more }, configWith({})).join("\n")).toMatch(words);
  });
});

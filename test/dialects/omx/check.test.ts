import { describe, expect, test } from "vitest";
import { omx } from "../../../src/dialects/omx/omx.ts";
import { checkForeignText } from "../../../src/entry/foreign-tree.ts";
import { renderProblem } from "../../../src/error.ts";

const state = ".omx/state/sessions/s1/ralph-state.json";
const pointer = ".omx/state/session.json";
const ledger = ".omx/state/ralph-progress.json";
const marker = ".omx/plans/ralph-migration-marker.json";
const legacy = ".omx/prd.json";
const document = ".omx/plans/prd-login.md";

const told = (path: string, text: string) => {
  const { problems, warnings } = checkForeignText(omx, path, text);
  return [...problems, ...warnings].map(renderProblem);
};
const toldOf = (path: string, value: unknown) => told(path, JSON.stringify(value, null, 2));

describe("paths", () => {
  test.each([
    state,
    pointer,
    ledger,
    marker,
    legacy,
    document,
    ".omx/progress.txt",
    ".omx/state/ralph-state.json",
    ".omx/state/sessions/s1/team-state.json",
    ".omx/state/sessions/s1/ralph-progress.json",
  ])("%s is one of its files", (path) => {
    expect(omx.owns(path)).toBe(true);
  });

  test.each([
    ".omx/state/sessions/../ralph-state.json",
    ".omx/state/sessions/a.b/ralph-state.json",
    `.omx/state/sessions/${"a".repeat(65)}/ralph-state.json`,
    ".omx/state/sessions/s1/deeper/ralph-state.json",
    ".omx/state/constructor-state.json",
    ".omx/state/hud-state.json",
    ".omx/plans/test-spec-login.md",
    ".omx/plans/prd-a/b.md",
    "sub/.omx/prd.json",
    "constructor",
  ])("%s is not a file of the dialect", (path) => {
    expect(omx.owns(path)).toBe(false);
  });
});

test.each([
  [pointer, { session_id: "../s1" }, "session_id must be 1 to 64 of"],
  [pointer, { session_id: "s1", pid: 0 }, "pid must be at least 1"],
  [pointer, { session_id: "s1", pid: "5" }, "pid must be a number, not text"],
  [pointer, { session_id: "s1", cwd: 5 }, "cwd must be text, not 5"],
  [pointer, { session_id: "s1", started_at: "soon" }, "started_at must be a time such as"],
  [pointer, { session_id: "s1", pid_start_ticks: 1.5 }, "pid_start_ticks must be a whole number"],
  [pointer, {}, "session_id is missing"],
  [ledger, { schema_version: 2 }, "entries is missing"],
  [ledger, { schema_version: "2", entries: [] }, "schema_version must be a number, not text"],
  [ledger, { schema_version: 2, entries: [{ index: "1" }] }, "entries[0].index must be a number"],
  [ledger, { schema_version: 2, entries: [{ text: 1 }] }, "entries[0].text must be text, not 1"],
  [ledger, { schema_version: 2, entries: ["x"] }, "entries[0] must be an object, not text"],
  [
    ledger,
    { schema_version: 2, entries: [], visual_feedback: {} },
    "visual_feedback must be a list",
  ],
  [marker, { prd_migration: { source: 5 } }, "prd_migration.source must be text, not 5"],
  [marker, { progress_migration: "done" }, "progress_migration must be an object"],
  [marker, [], "the document must be an object"],
  [
    legacy,
    { userStories: [{ id: "US-1", title: "T" }] },
    "userStories[0].acceptanceCriteria is missing",
  ],
])("%s with %j is refused at its place", (path, value, message) => {
  const all = toldOf(path, value);
  expect(
    all.some((each) => each.includes(message)),
    all.join("\n"),
  ).toBe(true);
});

test("a legacy list with a cycle, an unknown dependency and a repeated id is reported at each place", () => {
  const story = (id: string, dependsOn: string[]) => ({
    id,
    title: `Title ${id}`,
    acceptanceCriteria: ["It works"],
    dependsOn,
  });
  const list = [story("US-1", ["US-2"]), story("US-2", ["US-1"]), story("US-3", ["US-9"])];
  expect(toldOf(legacy, { userStories: list })).toMatchInlineSnapshot(`
    [
      ".omx/prd.json:30:9: userStories[2].dependsOn[0] must look like "T-001"",
      ".omx/prd.json:30:9: userStories[2].dependsOn[0] names "US-9", which is not a task of this list",
      ".omx/prd.json:9:7: userStories[0].dependsOn closes a cycle: T-001 -> T-002 -> T-001; remove one of these dependencies",
    ]
  `);
  const twice = toldOf(legacy, { userStories: [story("../1", []), story("../1", [])] });
  expect(twice).toEqual([expect.stringContaining('userStories[1].id repeats "../1" of entry 1')]);
});

test("a repeated key and a key with a meaning in JavaScript are reported", () => {
  expect(told(state, '{\n  "active": false,\n  "active": true\n}')).toEqual([
    `${state}:3:3: the key "active" is repeated here; remove one`,
  ]);
  expect(told(state, '{"active": false, "__proto__": {}}')).toEqual([
    `${state}:1:19: the key "__proto__" is not allowed; remove it`,
  ]);
});

const samples: Record<string, object> = {
  [state]: {
    active: true,
    iteration: 1,
    max_iterations: 5,
    current_phase: "fix",
    started_at: "2026-01-25",
  },
  [pointer]: { session_id: "s1", pid: 5, cwd: "/p" },
  [ledger]: { schema_version: 2, entries: [{ index: 1, text: "a" }] },
  [marker]: { prd_migration: { source: "a", source_sha256: "b", canonical_path: "c" } },
  [legacy]: { userStories: [{ id: "US-1", title: "T", acceptanceCriteria: ["c"] }] },
};

test.each(Object.keys(samples))(
  "%s that is cut off at any byte is refused, and read as nothing",
  (path) => {
    const text = JSON.stringify(samples[path]);
    expect(checkForeignText(omx, path, text).problems).toEqual([]);
    for (let length = 0; length < text.length; length += 1) {
      const cut = text.slice(0, length);
      expect(checkForeignText(omx, path, cut).problems.length, cut).toBeGreaterThan(0);
      const errors = omx.check(path, cut).filter(({ severity }) => severity === "error");
      expect(errors.length, cut).toBeGreaterThan(0);
      const tree = new Map([[path, cut]]);
      expect(omx.read(tree, "")).toEqual([]);
      expect(omx.cancel(tree, { id: undefined, now: "" })).toEqual([]);
      expect(omx.tasks(tree)).toBeUndefined();
      expect(omx.onImport?.(tree, "")).toEqual([]);
    }
  },
);

describe("documents", () => {
  const page = (json: string) => `# Login\n\n## Task List\n\n\`\`\`json\n${json}\n\`\`\`\n`;

  test("one in prose has nothing to check", () => {
    expect(told(document, "# Login\n\nPeople log in.\n\n- [ ] It works\n")).toEqual([]);
  });

  test.each([
    ['[{"id": "US-1"', `${document}:6: the list is not valid JSON`],
    ['[{"id": "US-1",\n"id": "US-2"}]', `${document}:7: the key "id" is repeated; remove one`],
    ['[{"__proto__": 1}]', `${document}:6: the key "__proto__" is not allowed; remove it`],
  ])("the list %j is reported at its line", (json, message) => {
    expect(told(document, page(json))).toEqual([message]);
  });

  test("a wrong type in the list is reported with line and path", () => {
    const json = JSON.stringify([{ id: "US-1", title: "T", acceptanceCriteria: [5] }], null, 2);
    expect(told(document, page(json))).toEqual([
      `${document}:11: [0].acceptanceCriteria[0] must be text, not 5; put it in quotes`,
    ]);
  });

  test("a deeply nested list causes no crash", () => {
    const json = "[".repeat(200_000) + "]".repeat(200_000);
    expect(told(document, page(json)).length).toBe(1);
  });

  test("one that is cut off anywhere is read as its list, or as nothing", () => {
    const json = JSON.stringify([{ id: "US-1", title: "T", acceptanceCriteria: ["c"] }]);
    const text = page(json);
    for (let length = 0; length < text.length; length += 1) {
      const tree = new Map([[document, text.slice(0, length)]]);
      const found = omx.tasks(tree);
      if (found) expect(found.list).toEqual(JSON.parse(json));
      expect(() => omx.check(document, text.slice(0, length))).not.toThrow();
    }
  });
});

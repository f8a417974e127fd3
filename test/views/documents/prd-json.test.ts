import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { apply } from "../../../src/core/state/apply.ts";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import { prdJson } from "../../../src/views/documents/prd-json.ts";
import { renderProofLine } from "../../../src/views/summary/proof.ts";
import { events, runOf, sessionStart, task } from "../../support/builders/session.ts";
import { passedRun, passingWith, richClaim, spliceTwice } from "./splicing.ts";

const one = passedRun(["T-001"]);
const splice = (text: string | undefined, state: SessionState = one) =>
  spliceTwice(prdJson, text, state);
const list = (...tasks: object[]) => JSON.stringify({ project: "P", tasks }, null, 2);

describe("the edit of a pass", () => {
  test("passes becomes true and the notes contain the proof", () => {
    const spliced = splice(list({ id: "T-001", passes: false, notes: "" })) ?? "";
    expect(JSON.parse(spliced).tasks[0].passes).toBe(true);
    expect(JSON.parse(spliced).tasks[0].notes).toMatchInlineSnapshot(`
      "Proof: criteria proved 0/1, 1 for the review; gates passed: test.
      Changes:
      - Added login
      Verification as reported:
      - npm test: 12 passed"
    `);
  });

  test("existing notes stay above ours, byte for byte", () => {
    const text = '{"tasks":[{"id":"T-001","passes":false,"notes":"caf\\u00e9 \\/ a"}]}';
    const spliced = splice(text) ?? "";
    expect(spliced).toContain('"notes":"caf\\u00e9 \\/ a\\n\\nProof');
  });

  test("notes never exceed the limit of the format", () => {
    const claim = `## Changes\n${`- ${"word ".repeat(70)}\n`.repeat(30)}`;
    const spliced = splice(
      list({ id: "T-001", passes: false, notes: "x".repeat(1000) }),
      passedRun(["T-001"], claim),
    );
    const notes: string = JSON.parse(spliced ?? "").tasks[0].notes;
    expect(notes.length).toBeLessThanOrEqual(5000);
    expect(notes).toContain(renderProofLine(one.tasks[0] ?? fail()));
    const full = list({ id: "T-001", passes: false, notes: "x".repeat(4990) });
    expect(JSON.parse(splice(full) ?? "").tasks[0].notes).toHaveLength(4990);
  });

  test("finished subtasks pass with their task, promoted ones do not", () => {
    const subtasks = ["T-001.1", "T-001.2"].map((id) => ({
      id,
      title: id,
      acceptanceCriteria: ["ok"],
      passes: false,
      ...(id.endsWith("2") && { promotedTo: "T-007" }),
    }));
    const facts = passingWith("T-001", richClaim).map((fact) =>
      fact.type === "agent_end" ? { ...fact, subtasks_done: ["T-001.1"] } : fact,
    );
    const spliced = splice(
      list({ id: "T-001", passes: false, subtasks }),
      runOf([task("T-001", { subtasks })], facts),
    );
    const [first, second] = JSON.parse(spliced ?? "").tasks[0].subtasks;
    expect(first).toMatchObject({
      passes: true,
      notes: expect.stringMatching(/^Passed with T-001/),
    });
    expect(second).toMatchObject({ passes: false });
  });
});

describe("text that stays", () => {
  test.each([
    ["no file", undefined],
    ["no JSON", '{"tasks": ['],
    ["a list with a comment", '{"tasks": [] // x\n}'],
    ["a task that is gone", list({ id: "T-002", passes: false })],
    ["a task that passed on disk", list({ id: "T-001", passes: true, notes: "mine" })],
    ["strange shapes", '{"tasks": [1, null, {"id": 7, "passes": false}, {"id": "T-001"}]}'],
  ])("%s", (_, text) => {
    expect(splice(text)).toBe(text);
  });

  test("a task list in Markdown", () => {
    const text = list({ id: "T-001", passes: false });
    const start = sessionStart([task("T-001")], { source: { type: "cr_markdown", path: "CR.md" } });
    const all = events([start, ...passingWith("T-001", richClaim)]);
    const state = all.reduce<SessionState | undefined>(apply, undefined) ?? fail();
    expect(splice(text, state)).toBe(text);
  });

  test("tasks that had passed before the session", () => {
    const text = list({ id: "T-001", passes: false });
    expect(splice(text, runOf([task("T-001", { passes: true })]))).toBe(text);
  });
});

/** Writes a task list in a style: what the person who typed it was used to. */
type Style = { gap: string; colon: string; end: string; eol: string };
type Item = { id: string; passes: boolean; notes?: string; extra: string };

function render(items: readonly Item[], { gap, colon, end, eol }: Style): string {
  const property = (key: string, value: unknown) =>
    `${gap}"${key}"${colon}${JSON.stringify(value)}`;
  const objects = items.map(({ id, passes, notes, extra }) => {
    const own = [property("x", extra), property("id", id), property("passes", passes)];
    const all = notes === undefined ? own : [...own, property("notes", notes)];
    return `{${[...all, property("z", { passes: false })].join(",")}${gap}}`;
  });
  return `{${gap}"tasks"${colon}[${objects.join(",")}],${gap}"unknown"${colon}1}${end}`.replaceAll(
    "\n",
    eol,
  );
}

const style: fc.Arbitrary<Style> = fc.record({
  gap: fc.constantFrom("", " ", "\n", "\n    ", "\n\t", "\n\n  "),
  colon: fc.constantFrom(":", ": ", " : "),
  end: fc.constantFrom("", "\n", "\n\n"),
  eol: fc.constantFrom("\n", "\r\n"),
});
const items: fc.Arbitrary<Item[]> = fc.uniqueArray(
  fc.record(
    {
      id: fc.constantFrom("T-001", "T-002", "T-003"),
      passes: fc.constant(false),
      notes: fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.toWellFormed()),
      extra: fc.string(),
    },
    { requiredKeys: ["id", "passes", "extra"] },
  ),
  { selector: ({ id }) => id },
);

test("in any style, the spliced list is the list written with the new values", () => {
  const state = passedRun(["T-001", "T-003"]);
  const ours = (splice(list({ id: "T-001", passes: false }), state) ?? fail()).match(
    /"notes": (".*")/,
  );
  const note: string = JSON.parse(ours?.[1] ?? '""');
  const after = (item: Item): Item => {
    if (item.id === "T-002") return item;
    return { ...item, passes: true, notes: item.notes ? `${item.notes}\n\n${note}` : note };
  };
  fc.assert(
    fc.property(items, style, (before, how) => {
      expect(splice(render(before, how), state)).toBe(render(before.map(after), how));
    }),
  );
});

function fail(): never {
  throw new Error("unreachable");
}

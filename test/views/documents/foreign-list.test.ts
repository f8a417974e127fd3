import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spliceForeignList } from "../../../src/views/documents/foreign-list.ts";

const passed = (...ids: string[]) => new Set(ids);
const inJson = (text: string, ...ids: string[]) =>
  spliceForeignList(text, { isMarkdown: false, passed: passed(...ids) });
const inMarkdown = (text: string, ...ids: string[]) =>
  spliceForeignList(text, { isMarkdown: true, passed: passed(...ids) });

test.each<[string, string, string]>([
  ["passes", '{"id":"US-1","passes" : false}', '{"id":"US-1","passes" : true}'],
  ["passed", '{"id":"US-1","passed":false}', '{"id":"US-1","passed":true}'],
  ["completed", '{"completed":false,"id":"US-1"}', '{"completed":true,"id":"US-1"}'],
  ["a status", '{"id":"US-1","status":"open"}', '{"id":"US-1","status":"done"}'],
  ["a status of null", '{"id":"US-1","status":null}', '{"id":"US-1","status":"done"}'],
  ["done already", '{"id":"US-1","status":"Closed"}', '{"id":"US-1","status":"Closed"}'],
  ["nothing", '{ "id": "US-1" }', '{ "id": "US-1", "passes": true }'],
])("an entry with %s", (_, before, after) => {
  const list = (entry: string) => `{"userStories": [{"id":"US-2","passes":false}, ${entry}]}`;
  expect(inJson(list(before), "T-001")).toBe(list(after));
});

test("ids are those an import gives, so entries without ids go by their place", () => {
  const list = (second: boolean) => `[{"description":"a"},{"description":"b","passes":${second}}]`;
  expect(inJson(list(false), "T-002")).toBe(list(true));
});

test.each([
  ["no list", '{"a": 1}'],
  ["no JSON", "[{"],
  ["a comment", '[{"id":"A-1","passes":false}] // x'],
  ["ralph's own format", '{"tasks":[{"id":"T-001","passes":false}]}'],
  ["no task list", "# A\n"],
  ["no object", '["T-001"]'],
])("%s is left alone", (_, text) => {
  expect(inJson(text, "T-001")).toBe(text);
  expect(inMarkdown(text, "T-001")).toBe(text);
});

describe("in Markdown", () => {
  test.each(["tasks", "userStories"])("a list below the key %s is spliced too", (key) => {
    const document = (passes: boolean) =>
      `## Task List\n\`\`\`json\n{"${key}": [{"id": "CR-9", "passes": ${passes}}]}\n\`\`\`\n`;
    expect(inMarkdown(document(false), "T-009")).toBe(document(true));
  });

  type Style = { eol: string; mark: string; mask: string; heading: string; indent: string };
  type Item = { passes: boolean | undefined; extra: string };
  const style = fc.record({
    eol: fc.constantFrom("\n", "\r\n"),
    mark: fc.constantFrom("```", "~~~", "`````"),
    mask: fc.constantFrom("", "\uFEFF"),
    heading: fc.constantFrom("## Task List", "## Task list", "# TASK LIST:", "Task List\n---"),
    indent: fc.constantFrom("", "  ", "\t"),
  });
  const around = fc.array(
    fc.oneof(
      fc.string().map((text) => `x${text.replace(/[\r\n]/g, " ")}`),
      fc.constantFrom(
        '```json\n[{"id":"A-1","passes":false}]\n```',
        "````md\n```json\n[]\n```\n````",
        "~~~\n## Task List\n```json\n~~~",
        "<!-- ## Task List -->",
        "> ```json\n> []\n> ```",
        '"passes": false',
      ),
    ),
    { maxLength: 5 },
  );
  const items = fc.array(
    fc.record({ passes: fc.constantFrom(true, false, undefined), extra: fc.string() }),
    { minLength: 1, maxLength: 6 },
  );

  function render(parts: { above: string[]; below: string[]; list: Item[] }, how: Style): string {
    const { eol, mark, mask, heading, indent } = how;
    const entries = parts.list.map(({ passes, extra }, index) => {
      const end = passes === undefined ? "" : `, "passes":  ${passes}`;
      return `${indent}{"id": "A-${index + 1}", "steps": [${JSON.stringify(extra)}]${end}}`;
    });
    const json = [`${mark}json`, `[\n${entries.join(",\n")}\n]`, mark].join("\n");
    const all = ["# A", ...parts.above, heading, json, ...parts.below];
    return mask + all.join("\n\n").replaceAll("\n", eol);
  }

  test("only `passes` of the passed entries changes, and a second time nothing", () => {
    fc.assert(
      fc.property(around, around, items, style, fc.nat(5), (above, below, list, how, at) => {
        const index = at % list.length;
        const id = `T-${String(index + 1).padStart(3, "0")}`;
        const before = render({ above, below, list }, how);
        const after = list.map((item, each) => (each === index ? { ...item, passes: true } : item));
        const once = inMarkdown(before, id);
        // A key that is added repeats the space after the colon of the one before.
        const spaced =
          list[index]?.passes === undefined ? once.replace(/("passes": )true/, "$1 true") : once;
        expect(spaced).toBe(render({ above, below, list: after }, how));
        expect(inMarkdown(once, id)).toBe(once);
      }),
    );
  });
});

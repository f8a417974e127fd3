import fc from "fast-check";
import { expect, test } from "vitest";
import { editItems, findItems } from "../../../src/views/documents/prd-offsets.ts";

test("offsets name the exact text of a value and its key", () => {
  const text =
    '\uFEFF{"tasks": [{"id": "T-001", "passes" : false, "subtasks": [{"id":"T-001.1","passes":true}]}]}';
  const items = findItems(text);
  expect([...items.keys()]).toEqual(["T-001", "T-001.1"]);
  const passes = items.get("T-001")?.passes;
  expect(passes && text.slice(passes.offset, passes.offset + passes.length)).toBe("false");
  expect(passes && text.slice(passes.keyOffset, passes.keyOffset + passes.keyLength)).toBe(
    '"passes"',
  );
  expect(items.get("T-001.1")?.passes.value).toBe(true);
});

test.each(["", "[", "null", '{"tasks": {}}', '{"tasks": [], }', '{"tasks": [null, 1, {}]}'])(
  "in %j there is nothing to find",
  (text) => {
    expect(findItems(text).size).toBe(0);
  },
);

const names = ["T-001", "T-002", "T-003", "T-004"];
const openTask = fc.record({ notes: fc.option(fc.string(), { nil: undefined }) });

test("after edits the items are found where a parse would find them", () => {
  const tasks = fc.array(openTask, { minLength: names.length, maxLength: names.length });
  fc.assert(
    fc.property(tasks, fc.subarray(names), fc.string(), (given, passed, note) => {
      const list = given.map((task, index) => ({ id: names[index], passes: false, ...task }));
      const text = JSON.stringify({ tasks: list }, null, 2);
      const next = editItems(text, passed.flatMap(turn(text, note)));
      const known = findItems(next);
      findItems("another text, so that the next one is parsed");
      for (const [id, { passes, notes }] of findItems(next)) {
        expect(known.get(id)?.passes).toEqual(passes);
        if (!passed.includes(id)) expect(known.get(id)?.notes).toEqual(notes);
      }
    }),
  );
});

/** `passes` becomes true; a note is put behind it. */
function turn(text: string, note: string) {
  return (id: string) => {
    const place = findItems(text).get(id)?.passes;
    if (!place) throw new Error(`${id} is not in the text`);
    const { offset, length } = place;
    const added = `, "more": ${JSON.stringify(note)}`;
    return [
      { offset, length, content: "true" },
      { offset: offset + length, length: 0, content: added },
    ];
  };
}

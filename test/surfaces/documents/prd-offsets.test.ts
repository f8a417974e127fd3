import { expect, test } from "vitest";
import { findItems } from "../../../src/surfaces/documents/prd-offsets.ts";

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

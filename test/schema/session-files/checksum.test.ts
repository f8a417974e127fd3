import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalChecksum, sha256 } from "../../../src/schema/session-files/checksum.ts";

test("the published vector with non-ASCII text is met (compatibility 10.2)", () => {
  const status = {
    last_updated: "2026-01-25T14:45:00Z",
    tasks: {
      "T-002": { passes: false, iterations: 2, last_failure: 'Zażółć – 🙂 "x"' },
      "T-001": { passes: true },
    },
  };
  expect(canonicalChecksum(status)).toBe(
    "sha256:717db4e9d147abc55b476ea7447781974bdf5541209cbfc3acb631af2cc4c483",
  );
});

test.each<[string, Record<string, unknown>, string]>([
  [
    "no white space and sorted keys",
    { b: [1, { d: null, c: true }], a: "x" },
    '{"a":"x","b":[1,{"c":true,"d":null}]}',
  ],
  [
    "everything from DEL up escaped",
    { a: "~\u007f\u0080é\uffff" },
    '{"a":"~\\u007f\\u0080\\u00e9\\uffff"}',
  ],
  [
    "keys by code point, not by UTF-16 unit",
    { "🙂": 1, "\uff5e": 2 },
    '{"\\uff5e":2,"\\ud83d\\ude42":1}',
  ],
  ["keys that look like numbers sorted as text", { 10: 1, 9: 2 }, '{"10":1,"9":2}'],
  ["what is not there left out", { a: undefined, b: 1 }, '{"b":1}'],
])("the canonical form has %s", (_, value, form) => {
  expect(canonicalChecksum(value)).toBe(`sha256:${sha256(form)}`);
});

test("the checksum does not cover itself", () => {
  expect(canonicalChecksum({ a: 1, checksum: "sha256:x" })).toBe(canonicalChecksum({ a: 1 }));
});

test("neither the order of keys nor a round through JSON matters; any other change does", () => {
  const value = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1, noNullPrototype: true });
  fc.assert(
    fc.property(value, (data) => {
      const { checksum: _, ...content } = data;
      const turned = Object.fromEntries(Object.entries(content).toReversed());
      const again: Record<string, unknown> = JSON.parse(JSON.stringify(turned));
      expect(canonicalChecksum(again)).toBe(canonicalChecksum(content));
      expect(canonicalChecksum({ ...content, "": "changed" })).not.toBe(
        canonicalChecksum({ ...content, "": "other" }),
      );
    }),
  );
});

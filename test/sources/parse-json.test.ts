import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../src/sources/parse-json.ts";

const parse = (text: string) =>
  parseJson({ bytes: Buffer.from(text), file: "a.json", maxBytes: 32 * 1024 * 1024 });

const problemsOf = (text: string) => {
  const result = parse(text);
  return result.kind === "refused"
    ? result.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
    : [];
};

test.each<[string, string, RegExp]>([
  ["a cut object", '{"a": 1', /^1:8 ends too early/],
  ["a cut text", '{"a": "x', /^1:7 .* no closing "/],
  ["a trailing comma", '{\n  "a": 1,\n}', /^3:1 .*comma too many/],
  ["a comment", "{\n // why\n}", /^2:2 comments are not allowed/],
  ["single quotes", "{'a': 1}", /^1:2 .*double quotes/],
  ["a missing comma", '{"a": 1 "b": 2}', /^1:9 a comma is expected/],
  ["a missing colon", '{"a" 1}', /^1:6 a colon is expected/],
  ["a second document", '{"a": 1}\n{"b": 2}', /^2:1 the document has ended/],
  ["a bare line break in a text", '{"a": "x\ny"}', /^1:7 /],
  ["an unknown escape", '{"a": "\\x"}', /^1:7 this escape does not exist/],
  ["a leading zero", '{"a": 01}', /^1:8 /],
  ["NaN", '{"a": NaN}', /^1:7 this is not JSON/],
  ["YAML", "a: 1", /^1:1 this is not JSON/],
  ["too many levels", `${"[".repeat(101)}${"]".repeat(101)}`, /^1:101 is nested more than 100/],
  ["brackets without end", "[".repeat(5_000_000), /^1:101 is nested more than 100/],
  ["a repeated key", '{"a": 1,\n "b": {"a": 2},\n "a": 3}', /^3:2 the key "a" is repeated here/],
  ["a key repeated by an escape", '{"a": 1, "\\u0061": 2}', /^1:10 the key "a" is repeated here/],
  ["__proto__", '{"a": {"__proto__": {"passes": true}}}', /^1:8 the key "__proto__"/],
  ["constructor", '{"constructor": 1}', /^1:2 the key "constructor"/],
  ["prototype", '{"prototype": 1}', /^1:2 the key "prototype"/],
  ["half a character", '{"a": "\\ud800"}', /^1:7 .*half of a character/],
  ["half a character in a key", '{"\\udc00": 1}', /^1:2 .*half of a character/],
  ["a number out of range", '{"a": [1, -1e999]}', /^1:11 the number is too large/],
])("%s is refused with line and column", (_, text, problem) => {
  expect(problemsOf(text)[0]).toMatch(problem);
});

test("brackets and quotes inside texts do not count as nesting", () => {
  const value = { a: `${"[{".repeat(200)}\\"`, b: '"[' };
  expect(parse(JSON.stringify(value))).toMatchObject({ kind: "parsed", value });
});

test("every repeated key is reported, not only the first", () => {
  expect(problemsOf('{"a":1,"a":2,"b":{"c":1,"c":2}}')).toHaveLength(2);
});

describe("the place of a value", () => {
  const parsed = parse('{\n  "tasks": [\n    {"id": "T-001"},\n    {"id":\n      "T-002"}\n  ]\n}');
  test.each<[PropertyKey[], number, number]>([
    [[], 1, 1],
    [["tasks"], 2, 3],
    [["tasks", 1], 4, 5],
    [["tasks", 1, "id"], 4, 6],
    [["tasks", 1, "title"], 4, 5],
    [["tasks", 7, "id"], 2, 3],
    [["project"], 1, 1],
  ])("of %j, or of the nearest part around it, is %i:%i", (path, line, column) => {
    expect(parsed.kind === "parsed" && parsed.locate(path)).toEqual({ line, column });
  });
});

test("what JSON.stringify writes is read back as it was", () => {
  const plain = fc.jsonValue({ maxDepth: 5, noUnicodeString: false }).filter((value) => {
    return !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(value));
  });
  fc.assert(
    fc.property(plain, (value) => {
      const text = JSON.stringify(value);
      expect(parse(text)).toMatchObject({ kind: "parsed", text, value: JSON.parse(text) });
    }),
  );
});

test("damaged JSON is always refused with a place, never by a crash", () => {
  const text = JSON.stringify({ a: [1, true, null, "x\n"], b: { c: -1.5e3 } });
  const damage = fc.tuple(fc.nat(text.length - 1), fc.nat(3), fc.string({ maxLength: 3 }));
  fc.assert(
    fc.property(damage, ([at, length, insert]) => {
      const broken = text.slice(0, at) + insert + text.slice(at + length);
      const result = parse(broken);
      if (result.kind === "parsed") expect(result.value).toEqual(JSON.parse(broken));
      else expect(result.problems[0]?.message).not.toBe("");
    }),
  );
});

test.each<[string, (size: number) => string]>([
  ["keys", (size) => `{${Array.from({ length: size }, (_, n) => `"k${n}":1`).join(",")}}`],
  ["repeated keys", (size) => `{${'"k":1,'.repeat(size)}"k":1}`],
  ["numbers", (size) => `[${"1,".repeat(size)}1]`],
  ["backslashes", (size) => `["${"\\\\".repeat(size)}"]`],
])("many thousand %s are read to their end", (what, make) => {
  const { kind } = parse(make(200_000));
  expect(kind).toBe(what === "repeated keys" ? "refused" : "parsed");
});

test("with duplicate keys the last of each is still checked", () => {
  const result = parse('{"a": 1,\n "a": {"b": 2}}');
  const readable = result.kind === "refused" ? result.readable : undefined;
  expect(readable?.value).toEqual({ a: { b: 2 } });
  expect(readable?.locate(["a", "b"])).toEqual({ line: 2, column: 8 });
  expect(parse('{"a": 1, "a": 2, "__proto__": {}}')).not.toHaveProperty("readable");
  expect(parse('{"a": 1, "a": 1e999}')).not.toHaveProperty("readable");
});

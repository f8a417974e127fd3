import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { parseYaml } from "../../src/sources/parse-yaml.ts";

const parse = (text: string) =>
  parseYaml({ bytes: Buffer.from(text), file: "ralph.yml", maxBytes: 64 * 1024 });

const problemsOf = (text: string) => {
  const result = parse(text);
  return result.kind === "refused"
    ? result.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
    : [];
};

test("the core schema is used: words stay words, and only true and false are booleans", () => {
  const text = "on: yes\nmode: off\nport: 0o17\nat: 02:00\nday: 2026-01-25\nno: true\n";
  expect(parse(text)).toMatchObject({
    kind: "parsed",
    value: { on: "yes", mode: "off", port: 15, at: "02:00", day: "2026-01-25", no: true },
  });
});

test.each<[string, string, RegExp]>([
  ["an open quote", "a: 'x", /^1:6 Missing closing/],
  ["a tab as indentation", "a:\n\t- b", /^2:1 Tabs are not allowed.*; indent with spaces/],
  ["a second document", "a: 1\n---\nb: 2", /^2:1 a second document/],
  ["a repeated key", "a: 1\nb: {a: 1}\na: 2", /^3:1 the key "a" is repeated here/],
  ["__proto__", "a:\n  __proto__: {passes: true}", /^2:3 the key "__proto__"/],
  ["constructor", "constructor: 1", /^1:1 the key "constructor"/],
  ["a merge key", "a: &a {x: 1}\nb:\n  <<: *a", /^3:3 merge keys/],
  ["a list as key", "? [a]\n: 1", /^1:3 /],
  ["a tag of anybody's own", "a: !shell rm", /^1:4 Unresolved tag: !shell/],
  [
    "a negated command without quotes",
    "a: ! grep -q x",
    /^1:6 to YAML the ! is a tag and no part of the text; put a text that begins with ! in quotes/,
  ],
  ["a tag of another schema", "a: !!binary aGk=", /^1:4 Unresolved tag/],
  ["a tag with a handle", "%TAG ! tag:x,2000:\n---\na: !x 1", /^3:4 Unresolved tag/],
  [
    "a text with a colon",
    "a: b: c",
    /^1:4 Nested mappings.*; put a text that holds ": " in quotes/,
  ],
  [
    "quotes within quotes",
    'a: "b "c""',
    /^1:8 Unexpected scalar.*; put the whole text in one pair/,
  ],
  ["a reserved character", "a: @b", /^1:4 Plain value.*; put the text in quotes/],
  ["a backslash", 'a: "C:\\d"', /^1:7 Invalid escape.*; write \\\\ for a backslash/],
  ["no colon", "a: 1\nb", /^2:1 .*; put ": " \(with the space\) after the key/],
  ["nothing but comments", "# a\n", /^1:1 holds no keys; write it again/],
  ["nothing but null", "---\n~\n", /^1:1 holds no keys/],
  ["a NUL character", 'a: ["x", "b\\0"]', /^1:10 the text holds a NUL character, written as \\0/],
  ["half a character", 'a: "\\ud800"', /^1:4 the text holds half of a character/],
  [
    "a key behind an odd space",
    "a:\n\u00a0\u00a0b: 1",
    /^2:1 this begins with a character that only/,
  ],
  ["a pattern without quotes", "a:\n  - **/*.ts", /^2:5 .*needs quotes; write "\*\*\/\*\.ts"$/],
  ["an alias without anchor", "a: *b", /^1:4 the alias \*b has no anchor/],
  ["an anchor that holds itself", "a: &x [1, *x]", /^1:11 the alias \*x is inside/],
  ["more than the cap", `a: ${"x".repeat(64 * 1024)}`, /has 65539 bytes; at most 65536/],
])("%s is refused with line and column", (_, text, problem) => {
  expect(problemsOf(text)[0]).toMatch(problem);
});

test("of several mistakes the library sees on one line the first is reported", () => {
  expect(problemsOf("a:\n  b: c\n   d: {}\n")).toHaveLength(1);
});

test("mistakes are reported in the order of the text", () => {
  expect(problemsOf('a: "\\0"\n<<: *x\na: 1\n---\nb: 1\n')).toEqual([
    "1:4 the text holds a NUL character, written as \\0; remove it",
    '2:1 merge keys ("<<") are not supported; write the values out',
    "2:5 the alias *x has no anchor before it",
    '3:1 the key "a" is repeated here; remove one',
    "4:1 a second document starts here; keep one",
  ]);
});

test("line ends of Windows are no part of any value", () => {
  const text = 'a: "x"\r\nb:\r\n  - y\r\nc: |\r\n  one\r\n  two\r\n';
  expect(parse(text)).toMatchObject({ value: { a: "x", b: ["y"], c: "one\ntwo\n" } });
});

describe("bombs", () => {
  const laughs = ["a: &a0 [x,x,x,x,x,x,x,x,x]"];
  for (let level = 1; level < 9; level += 1) {
    const aliases = Array.from({ length: 9 }, () => `*a${level - 1}`).join(",");
    laughs.push(`b${level}: &a${level} [${aliases}]`);
  }
  const cap = (text: string) => text.slice(0, 64 * 1024);

  test.each<[string, string, RegExp]>([
    ["a billion laughs", laughs.join("\n"), /more than 16 aliases/],
    [
      "one large anchor used 99 times",
      `a: &a ${"x".repeat(9999)}\nb: [${"*a,".repeat(99)}]`,
      /16 aliases/,
    ],
    ["deep flow lists", cap("[".repeat(70_000)), /nested more than 100/],
    ["deep flow maps", cap("{a: ".repeat(20_000)), /nested more than 100/],
    ["deep block lists", cap("- ".repeat(40_000)), /nested more than 100/],
    ["deep explicit keys", cap("? ".repeat(40_000)), /nested more than 100/],
    ["deep mixed nesting", cap("- [".repeat(30_000)), /nested more than 100/],
    ["thousands of closing brackets", cap("]".repeat(70_000)), /Unexpected/],
    ["thousands of documents", cap("--- a\n".repeat(12_000)), /second document/],
    ["thousands of anchors", cap("&x ".repeat(30_000)), /at most one anchor/],
    ["thousands of repeated keys", cap("k: 1\n".repeat(14_000)).trimEnd(), /repeated/],
    ["thousands of directives", cap("%a b\n".repeat(14_000)), /directive/i],
    ["an endless escape", cap(`a: "${"\\".repeat(70_000)}`), /Missing closing/],
  ])("%s are refused without a crash", (_, text, problem) => {
    expect(problemsOf(text).join("\n")).toMatch(problem);
  });
});

test("thousands of keys are read", () => {
  const keys = Array.from({ length: 6400 }, (_, n) => `k${n}: 1\n`).join("");
  expect(parse(keys).kind).toBe("parsed");
});

describe("the place of a value", () => {
  const parsed = parse("# top\ngates:\n  full: &g\n    - name: a\n      cmd: b\n  build: *g\n");
  test.each<[PropertyKey[], number, number]>([
    [[], 2, 1],
    [["gates", "full"], 3, 3],
    [["gates", "full", 0], 4, 7],
    [["gates", "full", 0, "cmd"], 5, 7],
    [["gates", "build", 0, "cmd"], 5, 7],
    [["gates", "full", 0, "when"], 4, 7],
    [["gates", "full", 3], 3, 3],
    [["git"], 2, 1],
  ])("of %j, or of the nearest part around it, is %i:%i", (path, line, column) => {
    expect(parsed.kind === "parsed" && parsed.locate(path)).toEqual({ line, column });
  });
});

test("what the library writes is read back as it was", () => {
  const key = fc
    .string()
    .filter((name) => !["__proto__", "constructor", "prototype", "<<"].includes(name));
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const value = fc.dictionary(key, fc.oneof(leaf, fc.array(leaf), fc.dictionary(key, leaf)), {
    minKeys: 1,
  });
  fc.assert(
    fc.property(value, (data) => {
      fc.pre(!JSON.stringify(data).includes("\\u0000"));
      expect(parse(stringify(data, { aliasDuplicateObjects: false }))).toMatchObject({
        kind: "parsed",
        value: { ...data },
      });
    }),
  );
});

test("with duplicate keys the last of each is still checked", () => {
  const result = parse("a: 1\na:\n  b: 2\n");
  const readable = result.kind === "refused" ? result.readable : undefined;
  expect(readable?.value).toEqual({ a: { b: 2 } });
  expect(readable?.locate(["a", "b"])).toEqual({ line: 3, column: 3 });
  expect(parse("a: 1\na: 2\n__proto__: {}\n")).not.toHaveProperty("readable");
  expect(parse("a: 1\na: 2\n---\nb: 1\n")).not.toHaveProperty("readable");
});

import { expect, test } from "vitest";
import { mutantsOf } from "../../../src/core/proof/mutants.ts";

const mutate = (path: string, ...texts: string[]) =>
  mutantsOf(
    path,
    texts.map((text, index) => ({ line: index + 1, text })),
  ).map(({ after }) => after);

test.each([
  [
    "a.js",
    "export const up = (text) => text.toUpperCase();",
    "export const up = (text) => undefined;",
  ],
  ["a.js", "  return a + b;", "  return undefined;"],
  ["a.py", "    return text.upper()", "    return None"],
  ["a.go", "\treturn a + b", "\treturn a - b"],
  ["a.go", '\treturn "x"', '\treturn ""'],
  [
    "a.js",
    "  text = text.replace(/([A-Z]+)([A-Z][a-z]+)/g, '$1 $2');",
    "  text = text.replace(/([A-Z]+)([A-Z][a-z]+)/g, '');",
  ],
  ["a.py", '    raise KeyError("no such key")', "    pass"],
  ["a.js", '  if (!a) throw new Error("no a");', "  if (!a) ;"],
  ["a.js", "  throw new Error(`no ${", undefined],
  ["a.py", '            f"Can not change {name} here"', undefined],
  ["a.py", `            f'Can not change "{".".join(keys)}"'`, undefined],
  ["a.py", `    suffix(state, 'Expected "=" after a key')`, undefined],
  ["a.py", "    nest = found.nest(key, access=False)", "    nest = found"],
  ["a.py", '        "It is deprecated and will go. Use"', undefined],
  ["a.py", "        stacklevel=2,", undefined],
  ["a.js", 'if (a === "b && c") d();', 'if (a !== "b && c") d();'],
  ["a.js", 'd("one + two and three", a + b);', 'd("one + two and three", a - b);'],
  ["a.go", '\tpanic("no such key")', undefined],
  ["a.js", '  console.log("done", count + 1);', undefined],
  ["a.py", '    logger.info("done %d", count + 1)', undefined],
  ["a.go", "\treturn strings.TrimSpace(text)", "\treturn strings.TrimSpace(text)[:0]"],
  ["a.rs", "    text.to_lowercase()", "    Default::default()"],
  ["a.rs", "    return up(text);", "    return Default::default();"],
  ["a.rs", "    if n < 3 {", "    if n >= 3 {"],
  ["a.rs", "    let mut words = Vec::with_capacity(n + 1);", undefined],
  ["a.rs", "    let rows: Vec<usize> = (0..=n).collect();", undefined],
  ["a.js", "const limit = 10;", "const limit = 11;"],
  ["a.js", "  const words = text.trim();", "  const words = text;"],
  ["a.js", "  return items.map((item) => {", undefined],
  ["a.js", 'import { a } from "./a.js";', undefined],
  ["a.js", "// return 1;", undefined],
  ["a.py", "# return 1", undefined],
  ["a.py", "    pass", "    raise Exception"],
  ["a.js", "export function slug() {}", "export function slug() { throw 0; }"],
  ["a.js", "export const slug = () => {};", "export const slug = () => { throw 0; };"],
  ["a.js", "const found = {};", undefined],
  ["a.go", "\treturn text", "\tpanic(0); return text"],
  [
    "a.go",
    "var low = func(a string) string { return a }",
    "var low = func(a string) string { panic(0); return a }",
  ],
])("%s: `%s` becomes `%s`", (path, text, after) => {
  expect(mutate(path, text)).toEqual(after === undefined ? [] : [after]);
});

test("code only fails where no line of it has a value to change", () => {
  expect(mutate("a.go", "\treturn a + b", "\treturn text")).toEqual(["\treturn a - b"]);
});

test("what a function answers comes before what it prepares", () => {
  expect(mutate("a.js", "const limit = 10;", "return limit;")[0]).toBe("return undefined;");
});

test("a decision comes before a default of a parameter", () => {
  const signature = "export const match = (input, options = input && input.options) => {";
  expect(mutate("a.js", signature, "  if (input === 1) {")[0]).toBe("  if (input !== 1) {");
});

test("a line that moved into a branch comes before the new branch that stands in its place", () => {
  const added = [
    { line: 1, text: "    return shortened(text);", replaces: true as const },
    { line: 4, text: "    const size = measured(text, 10);" },
  ];
  const [first] = mutantsOf("a.js", added, [
    { line: 1, text: "  const size = measured(text, 10);" },
  ]);
  expect(first?.line).toBe(4);
});

test("a line in the place of another comes before one that only resembles it", () => {
  const added = [
    { line: 5, text: "    return text", replaces: true as const },
    { line: 9, text: "    return text.lower()" },
  ];
  const [first] = mutantsOf("a.py", added, [{ line: 2, text: "    return text.upper()" }]);
  expect(first?.line).toBe(5);
});

test("the lines that follow the most telling one are not its neighbours", () => {
  const lines = [1, 2, 30].map((line) => ({ line, text: `  return ${"a".repeat(31 - line)};` }));
  const replaced = [{ line: 1, text: `  return ${"a".repeat(40)};` }];
  expect(mutantsOf("a.js", lines, replaced).map(({ line }) => line)).toEqual([1, 30, 2]);
});

import { expect, test } from "vitest";
import { hasFrontMatter, parseFrontMatter } from "../../src/sources/parse-yaml.ts";

const parse = (text: string) =>
  parseFrontMatter({ bytes: Buffer.from(text), file: "prd.md", maxBytes: 1000 });

test("the block is read with its places in the whole file, and the text is kept", () => {
  const text = "---\na: 1\nb:\n  c: 2\n---\n\n# Title\n\n---\n";
  const parsed = parse(text);
  expect(parsed).toMatchObject({ kind: "parsed", value: { a: 1, b: { c: 2 } }, text });
  expect(parsed.kind === "parsed" && parsed.locate(["b", "c"])).toEqual({ line: 4, column: 3 });
});

test("line ends of Windows are fine", () => {
  expect(parse("---\r\na: 1\r\n---\r\n# T\r\n")).toMatchObject({ value: { a: 1 } });
});

test.each(["# Title\n", "\n---\na: 1\n---\n", "---\na: 1\n", "text\n---\na: 1\n---\n", "----\n"])(
  "%j has no front matter",
  (text) => {
    expect(hasFrontMatter(text)).toBe(false);
    expect(parse(text)).toMatchObject({
      kind: "refused",
      problems: [{ line: 1, message: expect.stringMatching(/has no front matter; begin it/) }],
    });
  },
);

test("mistakes in the block are reported at their lines", () => {
  expect(parse("---\na: 1\na: 2\n---\n")).toMatchObject({
    problems: [{ file: "prd.md", line: 3, message: expect.stringMatching(/is repeated here/) }],
  });
});

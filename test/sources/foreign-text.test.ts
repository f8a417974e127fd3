import { expect, test } from "vitest";
import { findForeignText } from "../../src/sources/decode-text.ts";
import { parseJson } from "../../src/sources/parse-json.ts";
import { parseYaml } from "../../src/sources/parse-yaml.ts";

const sourceOf = (text: string) => ({ bytes: Buffer.from(text), file: "f", maxBytes: 1000 });

const conflict = '<<<<<<< HEAD\n"b": 1\n=======\n"b": 2\n>>>>>>> topic\n';

const fence = "this line is Markdown";
const merge = "a merge conflict begins here";

test.each([
  {
    what: "YAML in a fence",
    parse: parseYaml,
    text: "# A\n\n```yaml\na: 1\n```\n",
    line: 3,
    says: fence,
  },
  { what: "YAML between tildes", parse: parseYaml, text: "~~~\na: 1\n~~~\n", line: 1, says: fence },
  { what: "JSON in a fence", parse: parseJson, text: "```json\n{}\n```\n", line: 1, says: fence },
  {
    what: "an odd space in YAML",
    parse: parseYaml,
    text: "a:\n  b: 1\n\u00a0\u00a0c: 1\n  d: 1\n",
    line: 3,
    says: "only looks like a space",
  },
  { what: "a conflict in YAML", parse: parseYaml, text: `a: 1\n${conflict}`, line: 2, says: merge },
  { what: "a conflict in JSON", parse: parseJson, text: `{\n${conflict}}`, line: 2, says: merge },
])("$what is reported in one sentence at its line", ({ parse, text, line, says }) => {
  const parsed = parse(sourceOf(text));
  expect(parsed.kind === "refused" && parsed.problems).toEqual([
    { file: "f", line, column: 1, message: expect.stringContaining(says) },
  ]);
});

test("a sound text may quote such lines", () => {
  const text = "a: |\n  ```sh\n  x\n  ```\n  <<<<<<< HEAD\n";
  expect(parseYaml(sourceOf(text)).kind).toBe("parsed");
  expect(parseYaml(sourceOf(`${text}b: 1\nb: 2\n`))).toMatchObject({
    problems: [{ line: 7, message: expect.stringMatching(/the key "b" is repeated here/) }],
  });
});

test.each(["", "a: `x`\n", "====\n", "<<<<<<<<", "a ```\n"])("%j has nothing foreign", (text) => {
  expect(findForeignText(text)).toBeUndefined();
});

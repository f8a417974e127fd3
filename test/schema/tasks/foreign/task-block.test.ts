import { expect, test } from "vitest";
import { findTaskBlock, onlyPart } from "../../../../src/schema/tasks/foreign/task-block.ts";
import { growthOf, linear } from "../../../support/measures/growth.ts";

function found(text: string): string {
  const block = findTaskBlock(text);
  return block.kind === "found" ? text.slice(block.start, block.end).trim() : block.remark.message;
}

const fence = (content: string, mark = "```") => `${mark}json\n${content}\n${mark}\n`;

test.each<[string, string, string]>([
  ["the block below the heading", `${fence("0")}## Task List\n${fence("1")}`, "1"],
  ["in other case", `## Task list\n${fence("1")}`, "1"],
  ["with a colon", `### TASK LIST:\n${fence("1")}`, "1"],
  ["with a number and emphasis", `## 3. **Task List**\n${fence("1")}`, "1"],
  ["in a title too", `# Task List\n\n## Task List\n${fence("1")}`, "1"],
  ["in JSON with comments", "## Task List\n```jsonc\n1\n```\n", "1"],
  ["underlined", `Task List\n---\n${fence("1")}`, "1"],
  ["in tildes", `## Task List\n${fence("1", "~~~~")}`, "1"],
  ["below a smaller heading", `## Task List\n\n### JSON\n${fence("1")}`, "1"],
  ["not one of another language", `## Task List\n\`\`\`js\n0\n\`\`\`\n${fence("1")}`, "1"],
  ["one without a language that begins a list", "## Task List\n```\n[1]\n```\n", "[1]"],
  ["not a quoted heading", `> ## Task List\n\n${fence("0")}## Task List\n${fence("1")}`, "1"],
  ["the second heading when the first has none", `## Task List\n## Task List\n${fence("1")}`, "1"],
])("%s", (_, text, content) => {
  expect(found(text)).toBe(content);
});

test.each<[string, string, RegExp]>([
  ["no heading", fence("1"), /has no heading "## Task List"/],
  [
    "a block in the next section",
    `## Task List\n## Other\n${fence("1")}`,
    /no block of JSON below/,
  ],
])("%s is no task list", (_, text, message) => {
  expect(found(text)).toMatch(message);
});

const moved = `    ${fence("[1]").replaceAll("\n", "\n    ")}`;

test.each<[string, string, string, RegExp]>([
  ["a heading in a fence", "a\n````\n## Task List\n````\n", "## Task", /a block of code; move it/],
  ["a heading in HTML", `<p>\n## Task List\n\n${fence("1")}`, "## Task", /inside of HTML/],
  ["a quotation", `> ## Task List\n>\n> ${fence("1")}`, "> ## Task", /a quotation/],
  [
    "a list below another heading",
    `## Tasks\n${fence("[{}]")}`,
    "```json",
    /write that line above/,
  ],
  ["a block that is moved in", `## Task List\n\n${moved}`, "    ```json", /indented too far/],
])("%s comes near, and is told with its place", (_, text, place, message) => {
  const block = findTaskBlock(text);
  expect(block).toMatchObject({ kind: "missing", isProse: false });
  if (block.kind === "found") return;
  expect(block.remark.message).toMatch(message);
  expect(text.slice(block.remark.offset)).toSatisfy((rest: string) => rest.startsWith(place));
});

test.each(["# PRD: Login\n\n## Requirements\n\n1. A form\n", fence('{"port": 80}'), ""])(
  "%j is prose",
  (text) => expect(findTaskBlock(text)).toMatchObject({ kind: "missing", isProse: true }),
);

test("a second block is reported with its place", () => {
  const text = `## Task List\n${fence("1")}${fence("2")}`;
  const block = findTaskBlock(text);
  const [remark] = block.kind === "found" ? block.remarks : [];
  expect(text.slice(remark?.offset)).toMatch(/^2\n/);
  expect(remark?.message).toMatch(/second block/);
});

test("a block below two headings is one block", () => {
  const block = findTaskBlock(`# Task List\n\n## Task List\n${fence("1")}`);
  expect(block).toMatchObject({ kind: "found", remarks: [] });
});

test.each([
  ["headings", "## Task List\n"],
  ["other blocks", "## Task List\n```js\n```\n"],
  ["lists", `## Task List\n${fence("[]")}`],
  ["indented lines", "    \n"],
])("many %s take no longer than their length", (_, part) => {
  const find = (size: number) => findTaskBlock(`## Task List\n${part.repeat(size)}`);
  expect(growthOf(find, 2000)).toBeLessThan(linear);
});

test("what is around a part is blank, and every line stays", () => {
  expect(onlyPart("# A\r\n[1]\n", { start: 5, end: 8 })).toBe("   \r\n[1]");
});

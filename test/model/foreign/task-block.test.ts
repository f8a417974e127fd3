import { expect, test } from "vitest";
import { findTaskBlock, onlyPart } from "../../../src/model/foreign/task-block.ts";

function found(text: string): string {
  const block = findTaskBlock(text);
  return block.kind === "found" ? text.slice(block.start, block.end).trim() : block.remark.message;
}

const fence = (content: string, mark = "```") => `${mark}json\n${content}\n${mark}\n`;

test.each<[string, string, string]>([
  ["the block below the heading", `${fence("0")}## Task List\n${fence("1")}`, "1"],
  ["in other case", `## Task list\n${fence("1")}`, "1"],
  ["with a colon", `### TASK LIST:\n${fence("1")}`, "1"],
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
  ["no heading", fence("1"), /has no section "## Task List"/],
  ["a heading in a fence", "````\n## Task List\n````\n", /has no section/],
  [
    "a block in the next section",
    `## Task List\n## Other\n${fence("1")}`,
    /no block of JSON below/,
  ],
])("%s is no task list", (_, text, message) => {
  expect(found(text)).toMatch(message);
});

test("a second block is told with its place", () => {
  const text = `## Task List\n${fence("1")}${fence("2")}`;
  const block = findTaskBlock(text);
  const [remark] = block.kind === "found" ? block.remarks : [];
  expect(text.slice(remark?.offset)).toMatch(/^2\n/);
  expect(remark?.message).toMatch(/second block/);
});

test("what is around a part is blank, and every line stays", () => {
  expect(onlyPart("# A\r\n[1]\n", { start: 5, end: 8 })).toBe("   \r\n[1]");
});

import { expect, test } from "vitest";
import { outline } from "../../../../src/schema/tasks/foreign/outline.ts";
import { growthOf, linear } from "../../../support/measures/growth.ts";

const shown = (text: string) =>
  outline(text).map((block) => {
    if (block.kind === "heading") return `${"#".repeat(block.level)} ${block.text}`;
    if (block.kind === "fence") return `${block.info}|${text.slice(block.start, block.end)}`;
    return block.kind === "rule" ? "---" : block.text;
  });

test.each<[string, string, string[]]>([
  ["a fence", "# A\n\n```json\n[1]\n```\n", ["# A", "json|[1]\n"]],
  ["tildes", "~~~ JSON\n[1]\n~~~\n", ["JSON|[1]\n"]],
  ["a fence in a longer one", "````md\n```json\n[]\n```\n````\n", ["md|```json\n[]\n```\n"]],
  ["a fence in tildes", "~~~\n```json\n~~~\n## B\n", ["|```json\n", "## B"]],
  ["a fence nobody closes", "```json\n[1]", ["json|[1]"]],
  ["a fence in a list", "- x\n\n  ```json\n  [1]\n  ```\n", ["json|  [1]\n"]],
  ["a fence in a quotation", "> ```json\n> [1]\n> ```\n", []],
  ["a fence in a comment", "<!--\n```json\n[1]\n```\n-->\n", []],
  ["an indented fence", "    ```json\n    [1]\n    ```\n", []],
  ["underlined headings", "A\n===\n\nB\n---\n", ["# A", "## B"]],
  ["a closed heading", "## A ##\n", ["## A"]],
  ["a rule", "a\n\n---\n", ["a", "---"]],
  ["a paragraph on two lines", "a\n  b\\*c\n", ["a b*c"]],
  ["CRLF", "# A\r\n\r\n```json\r\n[1]\r\n```\r\n", ["# A", "json|[1]\r\n"]],
  ["a byte order mark", "\uFEFF# A\n\n```json\n[1]\n```\n", ["# A", "json|[1]\n"]],
  ["front matter", "---\n# a: b\nc: d\n---\n# A\n", ["# A"]],
  ["front matter with CRLF", "---\r\n# a\r\n--- \r\n# A\r\n", ["# A"]],
  ["a rule at the top", "---\n# A\n", ["---", "# A"]],
  ["two rules", "---\n\n# A\n\n---\n", ["---", "# A", "---"]],
  ["a longer end of a fence", "```json\n[1]\n``````\n", ["json|[1]\n"]],
  ["what is no end of a fence", "````json\n[1]\n```\n~~~~\n", ["json|[1]\n```\n~~~~\n"]],
])("%s", (_, text, blocks) => {
  expect(shown(text)).toEqual(blocks);
});

test.each([
  ["underlines", "a\n=\n"],
  ["quotations", "> "],
  ["bullets", "- "],
  ["brackets", "["],
  ["fences", "```\n"],
  ["definitions", "[a]: b\n"],
  ["beginnings of front matter", " ---\n"],
  ["ticks", "`".repeat(20)],
])("many %s take no longer than their length", (_, part) => {
  expect(growthOf((size) => outline(part.repeat(size)), 2000)).toBeLessThan(linear);
});

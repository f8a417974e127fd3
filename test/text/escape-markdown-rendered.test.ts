import fc from "fast-check";
import markdownIt from "markdown-it";
import { expect, test } from "vitest";
import { escapeMarkdown, escapeTableCell } from "../../src/text/escape-markdown.ts";
import { hostileText } from "../views/job/hostile-text.ts";

const markdown = markdownIt({ html: true, linkify: true });
const line = hostileText.map((text) => text.replace(/\s+/g, " ").trim());

/** What is left of a page outside code: its tags, and its words with nothing between them. */
function outsideCode(html: string): { tags: Set<string>; text: string } {
  const outside = html.replace(/<code>[^<]*<\/code>/g, "\0");
  const tags = new Set(
    [...outside.matchAll(/<\/?([a-z!?][a-z0-9]*)/gi)].map(([, tag]) => String(tag)),
  );
  return { tags, text: outside.replace(/<[^>]*>/g, "").replaceAll("&amp;", "&") };
}

const plain = ["ul", "li", "p", "em", "strong", "s"];
const table = ["table", "thead", "tbody", "tr", "th", "td"];

test("rendered, a line has no tag, link, image or mention of its own", () => {
  fc.assert(
    fc.property(line, (text) => {
      const { tags, text: shown } = outsideCode(
        markdown.render(`- Reported: ${escapeMarkdown(text)}`),
      );
      expect([...tags].filter((tag) => !plain.includes(tag))).toEqual([]);
      expect(shown).not.toMatch(/@[a-z0-9]|fixes\W*#\d/i);
    }),
  );
});

test("rendered, a cell neither ends its row nor adds a cell", () => {
  fc.assert(
    fc.property(line, (text) => {
      const html = markdown.render(`| a | b |\n| - | - |\n| ${escapeTableCell(text)} | last |\n`);
      const { tags } = outsideCode(html);
      expect([...tags].filter((tag) => ![...plain, ...table].includes(tag))).toEqual([]);
      expect(html.split("<td>").length).toBe(3);
      expect(html).toContain("<td>last</td>");
    }),
  );
});

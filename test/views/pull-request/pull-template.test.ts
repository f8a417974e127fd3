import fc from "fast-check";
import { expect, test } from "vitest";
import {
  escapeLine,
  fillTemplate,
  maxTitleLength,
  pullValues,
  renderPullTitle,
} from "../../../src/views/pull-request/pull-template.ts";
import { summarize } from "../../../src/views/summary/summary.ts";
import { hostileText } from "../job/hostile-text.ts";
import { reportedRun } from "./reported-run.ts";

const summary = summarize(reportedRun);
const asked = { priority_item: "Login is slow", description: "Make it fast.", rationale: "Users." };
const values = pullValues(summary, asked);

test("every placeholder has its value", () => {
  expect(values).toMatchInlineSnapshot(`
    {
      "acceptance_criteria": "- [ ] It works
    - [ ] It works
    - [ ] It works
    - [ ] It works",
      "description": "Make it fast.",
      "priority_item": "Login is slow",
      "rationale": "Users.",
      "task_summary": "- [x] T-001: Title of T-001
    - [x] T-002: Add login | logout
    - [ ] T-003: Title of T-003
    - [ ] T-004: Title of T-004",
      "tasks_completed": "2",
      "tasks_total": "4",
    }
  `);
});

test.each([
  ["Ralph: {priority_item}", "Ralph: Login is slow"],
  ["{tasks_completed}/{tasks_total} {unknown} {}", "2/4 {unknown} {}"],
  ["{toString} {__proto__} {constructor}", "{toString} {__proto__} {constructor}"],
])("a title by %j reads %j", (template, title) => {
  expect(renderPullTitle(template, values)).toBe(title);
});

test.each([
  ["{description}", "{description}"],
  ["$& $1 $`", "$& $1 $'"],
  ["x".repeat(100), `${"x".repeat(79)}…`],
  ["fixes #12 for @octo", "fixes `#12` for `@octo`"],
  ["#12 and more", "12 and more"],
  ["two\nlines\u202e", "two lines"],
])("the item %j becomes %j, and is never read as a template", (priority_item, title) => {
  const own = pullValues(summary, { ...asked, priority_item });
  expect(renderPullTitle("{priority_item}", own)).toBe(title);
});

test("a closing word of the template does not reach a number of an item", () => {
  const own = pullValues(summary, { ...asked, priority_item: "o/r#5 is broken" });
  expect(renderPullTitle("Fixes {priority_item}", own)).toBe("Fixes `o/r#5` is broken");
  expect(fillTemplate("Closes {priority_item}", own)).toBe("Closes `o/r#5` is broken");
});

test("whatever an item says, the title is one line that does nothing, and not too long", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const own = pullValues(summary, { ...asked, priority_item: text, description: text });
      const title = renderPullTitle("Fix {priority_item} {description}", own);
      const outside = title.replace(/`[^`\n]*`/g, "");
      expect(title).not.toMatch(/\n/);
      expect(title.length).toBeLessThanOrEqual(maxTitleLength);
      expect(outside).not.toMatch(/@[a-z0-9]|https?:|www\.|<[a-z!/]|\]\(/i);
    }),
  );
});

test.each(["# a", "- a", "1. a", "> a", "---a", "~~~ a", "    a", "| a", "* # 1. a"])(
  "%j opens no block at the start of a line",
  (text) => expect(escapeLine(text)).toBe("a"),
);

test("paragraphs of a description stay paragraphs", () => {
  const description = "First\nline.\n\n## Second <!-- x -->\n\n\n- third";
  expect(pullValues(summary, { ...asked, description }).description).toBe(
    "First line.\n\nSecond `<!-- x -->`\n\nthird",
  );
});

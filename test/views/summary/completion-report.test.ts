import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCompletionReport } from "../../../src/views/summary/completion-report.ts";

test("the four sections are read, whatever bullets they use", () => {
  const body = `## Changes
- Added \`login.ts\`
  with a second line
* Wired the route

## Verification
1. npm test: 12 passed

### learnings:
Services raise custom exceptions.
They never return null.

## Patterns
+ Use fixtures

## Anything else
- left out`;
  expect(parseCompletionReport(body)).toEqual({
    changes: ["Added `login.ts` with a second line", "Wired the route"],
    verification: ["npm test: 12 passed"],
    learnings: ["Services raise custom exceptions. They never return null."],
    patterns: ["Use fixtures"],
  });
});

test("text before the first heading counts as changes", () => {
  expect(
    parseCompletionReport("Implementation complete. Changes:\n- Created src/auth.py").changes,
  ).toEqual(["Implementation complete. Changes:", "Created src/auth.py"]);
});

test("an empty body has empty sections", () => {
  expect(parseCompletionReport("")).toEqual({
    changes: [],
    verification: [],
    learnings: [],
    patterns: [],
  });
});

test("fenced blocks are left out, headings inside them included", () => {
  const body = "## Learnings\n- one\n```\n## Patterns\n- not this\n```\n- two";
  expect(parseCompletionReport(body)).toMatchObject({ learnings: ["one", "two"], patterns: [] });
});

test("a claim is bounded in items and in length", () => {
  const { changes } = parseCompletionReport(`## Changes\n${`- ${"x".repeat(5000)}\n`.repeat(500)}`);
  expect(changes).toHaveLength(14);
  expect(Math.max(...changes.map(({ length }) => length))).toBeLessThanOrEqual(400);
  expect(parseCompletionReport(`## Changes\n${"- x\n".repeat(500)}`).changes).toHaveLength(30);
});

test("no item can become a heading, a rule, a comment or a second line", () => {
  const line = fc.constantFrom(
    "# a",
    "---",
    "<!-- x",
    "- # b",
    "> c",
    "\x1b[2J",
    "===",
    "| - |",
    "text",
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      for (const item of Object.values(parseCompletionReport(lines.join("\n"))).flat()) {
        expect(item).not.toMatch(/^\s*(#|---|===|>|<!--)|[\n\p{Cc}]/u);
      }
    }),
  );
});

test("reading takes linear time", () => {
  const worst = ["## ", "- ", "\t", "`", "1. ", "#", "@a ", "closes "].map((part) =>
    part.repeat(64 * 1024),
  );
  for (const body of worst) expect(() => parseCompletionReport(body)).not.toThrow();
});

test("a report notifies no one and opens no tag, however it is escaped", () => {
  const body = "## Learnings\n- ask \\@octo\n- &#64;octo knows\n- \\<img src=x>\n- \\`@octo\\` too";
  expect(parseCompletionReport(body).learnings).toEqual([
    "ask `\\@octo`",
    "`&#64;octo` knows",
    "`\\<img src=x>`",
    "`\\'@octo\\'` too",
  ]);
});

test("an item copied from a claim and claimed again is the same item", () => {
  const [first = ""] = parseCompletionReport(
    "## Patterns\n- C:\\a & &amp; [x](https://y) @octo",
  ).patterns;
  expect(parseCompletionReport(`## Patterns\n- ${first}`).patterns).toEqual([first]);
});

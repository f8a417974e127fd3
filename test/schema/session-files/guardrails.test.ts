import { expect, test } from "vitest";
import { checkGuardrails, parseGuardrails } from "../../../src/schema/session-files/guardrails.ts";

const both = `# Guardrails

<!--
### fix-1-example
> an example in a comment
-->

## Fixes

### fix-1737372000-a1b2
> npm test fails:
> run npm build first
<!-- tags: build, test | created: 2024-01-20 -->

### fix-a-slug
> Another one

## Decisions
### decision-1737372100-b2c3
> Chose tabs

### Sign: Check types
- **Trigger:** before a commit
- **Instruction:** run the type checker
  in strict mode
- **Added after:** iteration 3

### Sign: Empty
**Trigger**: always

## Notes
> not a sign
`;

test("both formats are read", () => {
  expect(
    parseGuardrails(both).map(({ id, instruction, trigger }) => [id, instruction, trigger]),
  ).toEqual([
    ["fix-1737372000-a1b2", "npm test fails: run npm build first", ""],
    ["fix-a-slug", "Another one", ""],
    ["decision-1737372100-b2c3", "Chose tabs", ""],
    ["Check types", "run the type checker in strict mode", "before a commit"],
    ["Empty", "", "always"],
  ]);
  expect(parseGuardrails(both)[0]?.tags).toEqual(["build", "test"]);
});

test("a sign without an instruction is a warning at its line", () => {
  const message = 'the entry "Empty" has no instruction; agents will ignore it';
  expect(checkGuardrails(both)).toEqual([{ severity: "warning", path: [28], message }]);
});

test("whatever is cut off, the rest is read or reported", () => {
  for (let end = 0; end <= both.length; end += 1) {
    const signs = parseGuardrails(both.slice(0, end));
    const odd = checkGuardrails(both.slice(0, end));
    expect(odd).toHaveLength(signs.filter(({ instruction }) => instruction === "").length);
  }
});

import { expect, test } from "vitest";
import { findToken, renderFinalMessage } from "../../../src/agents/scripted/perform.ts";
import { Performance } from "../../../src/agents/scripted/scenario.ts";

const token = "ralph-20260125-143052-a7b3c9f2d1e8";
const cue = { task: "T-001", role: "implementation", attempt: 1, token } as const;
const render = (performance: object) => renderFinalMessage(Performance.parse(performance), cue);

test("placeholders become signals with the sections as their body", () => {
  const say = "Finished {task}.\n{subtask T-001.1}\n{done}";
  expect(
    render({ say, sections: { Changes: "- a\n", Verification: "- b" } }),
  ).toMatchInlineSnapshot(`
    "Finished T-001.
    <subtask-complete id="T-001.1" session="ralph-20260125-143052-a7b3c9f2d1e8"></subtask-complete>
    <task-done session="ralph-20260125-143052-a7b3c9f2d1e8">
    ## Changes
    - a
    ## Verification
    - b
    </task-done>"
  `);
});

test.each([
  ["{tests}", "tests-done"],
  ["{approved}", "review-approved"],
  ["{rejected}", "review-rejected"],
])("%s is the signal %s", (say, name) => {
  expect(render({ say })).toContain(`<${name} session="${token}">`);
});

test("other braces stay as they are", () => {
  expect(render({ say: "{ } {x} {subtask} {{task}}" })).toBe("{ } {x} {subtask} {T-001}");
});

test("the last line that looks like a token is the token", () => {
  const older = "ralph-20250101-000000-abcdef";
  expect(findToken(`data:\n${older}\nThe token is:\n${token}\n`)).toBe(token);
  expect(findToken(`not on its own: ${token}`)).toBe("");
});

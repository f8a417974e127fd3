import { expect, test } from "vitest";
import { findToken, renderFinalMessage } from "../../../src/agents/scripted/perform.ts";
import { choosePerformance, Performance, Scenario } from "../../../src/agents/scripted/scenario.ts";

const scenario = Scenario.parse({
  calls: [
    { task: "T-001", role: "implementation", attempt: 2, say: "second only" },
    { task: "T-001", role: "implementation", say: "one" },
    { task: "T-001", role: "review", say: "reject" },
    { task: "T-001", role: "implementation", say: "three" },
    { task: "T-001", role: "review", say: "approve" },
    { task: "T-002", say: "any role of T-002" },
    { role: "test_writing", say: "tests of any task" },
  ],
  defaults: { review: { say: "default review" } },
});

test.each([
  ["T-001", "implementation", 1, "one"],
  ["T-001", "implementation", 2, "second only"],
  ["T-001", "implementation", 3, "three"],
  ["T-001", "implementation", 4, undefined],
  ["T-001", "review", 1, "reject"],
  ["T-001", "review", 2, "approve"],
  ["T-001", "review", 3, "default review"],
  ["T-001", "test_writing", 1, "tests of any task"],
  ["T-002", "implementation", 1, "any role of T-002"],
  ["T-002", "test_writing", 1, "any role of T-002"],
  ["T-002", "test_writing", 2, "tests of any task"],
  ["T-009", "review", 1, "default review"],
  ["T-009", "fix", 1, undefined],
] as const)("%s, %s, attempt %i plays %j", (task, role, attempt, say) => {
  expect(choosePerformance(scenario, { task, role, attempt })?.say).toBe(say);
});

test.each([
  ["two kinds in one step", { calls: [{ do: [{ sleep: 1, exit: 1 }] }] }],
  ["an unknown key", { call: [] }],
  ["an unknown role", { defaults: { reviewer: {} } }],
  ["attempt 0", { calls: [{ attempt: 0 }] }],
])("a scenario with %s is refused", (_title, value) => {
  expect(Scenario.safeParse(value).success).toBe(false);
});

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

import { expect, test } from "vitest";
import { choosePerformance, Scenario } from "../../../src/agents/scripted/scenario.ts";

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

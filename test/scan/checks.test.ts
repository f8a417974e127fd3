import { expect, test } from "vitest";
import { checks, chooseChecks, quickChecks } from "../../src/scan/checks.ts";

const namesOf = (list: string | undefined) => chooseChecks(list).map(({ name }) => name);
const all = checks.map(({ name }) => name);

test.each<[string | undefined, string[]]>([
  [undefined, all],
  ["", all],
  ["tasks, git", ["git", "tasks"]],
  ["no-agent-call,no-gates", all.slice(0, -2)],
  ["git,tasks,no-git", ["tasks"]],
])("%j chooses checks in their own order", (list, expected) => {
  expect(namesOf(list)).toEqual(expected);
});

test.each([
  ["sandboks", "Did you mean `sandbox`?"],
  ["no-agent-cal", "Did you mean `agent-call`?"],
  ["everything", expect.stringMatching(/^The checks are: node, git, /)],
])("an unknown name (%s) is refused with the way out", (list, remedy) => {
  expect(() => chooseChecks(list)).toThrow(expect.objectContaining({ reason: "config", remedy }));
});

test.each(["git,no-git", all.map((name) => `no-${name}`).join(",")])(
  "a list that leaves nothing (%s) is refused",
  (list) => {
    expect(() => chooseChecks(list)).toThrow(/leaves no check to run/);
  },
);

test("only what runs commands of the project or calls an agent is not quick", () => {
  const slow = checks.filter((check) => !quickChecks.includes(check)).map(({ name }) => name);
  expect(slow).toEqual(["gates", "agent-call"]);
});

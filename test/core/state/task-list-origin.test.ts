import { expect, test } from "vitest";
import { authorOf, commandsLeft, runsCommands } from "../../../src/core/state/task-list-origin.ts";
import { runOf, task } from "../../support/builders/session.ts";

test.each([
  ["model", "bubblewrap", true],
  ["model", "off", false],
  [undefined, "bubblewrap", true],
  [undefined, "off", true],
] as const)("commands of %s with sandbox %s run: %s", (author, sandbox, runs) => {
  expect(runsCommands(author ? { list_author: author } : {}, sandbox)).toBe(runs);
});

test.each([
  [undefined, {}],
  [{ source: "manual" }, {}],
  [{ source: "imported-prd" }, {}],
  [{ source: "autopilot" }, { list_author: "model" }],
] as const)("a list with %j was written by %j", (metadata, author) => {
  expect(authorOf({ metadata })).toEqual(author);
});

const command = "Run `npm test` - exits with code 0";

function leftOf(criteria: string[][], more: object) {
  const tasks = criteria.map((acceptanceCriteria, at) =>
    task(`T-00${at + 1}`, { acceptanceCriteria }),
  );
  const state = runOf(tasks);
  return commandsLeft({ ...state, session: { ...state.session, ...more } });
}

test("the work left to the reviewer is counted over all tasks, and nothing is said where nothing is left", () => {
  const model = { list_author: "model", sandbox: "off" };
  expect(leftOf([[command, "It works"], [command]], model)).toContain("the 2 commands");
  expect(leftOf([[command]], model)).toContain("the command among its criteria is not run");
  expect(leftOf([["It works"]], model)).toBeUndefined();
  expect(leftOf([[command]], { sandbox: "off" })).toBeUndefined();
  expect(leftOf([[command]], { ...model, sandbox: "bubblewrap" })).toBeUndefined();
});

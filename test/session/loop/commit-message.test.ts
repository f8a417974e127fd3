import { expect, test } from "vitest";
import { commitMessage } from "../../../src/session/steps/pass-task.ts";
import { runOf, task } from "../../support/builders/session.ts";

test("a commit names task, criteria, session and its place in the journal", () => {
  const state = runOf([
    task("T-001", { title: "Add\n a  button", acceptanceCriteria: ["It shows", "It\nworks"] }),
  ]);
  const [passed] = state.tasks;
  if (!passed) throw new Error("unreachable: the list has one task");
  expect(commitMessage(state, { ...passed, anchor: "12:abc" })).toMatchInlineSnapshot(`
    "feat(T-001): Add a button

    - It shows
    - It works

    Ralph-Task: T-001
    Ralph-Session: 20260125-143052-a7b3c9
    Ralph-Journal: 12:abc
    "
  `);
});

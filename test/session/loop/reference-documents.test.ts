import { expect, test } from "vitest";
import { readReferenceDocuments } from "../../../src/session/loop/prompt-of.ts";
import { runOf, task } from "../../support/builders/session.ts";
import { createTestSystem } from "../../support/project/system.ts";

const origin = {
  path: ".ralph/specs/auth/implementation",
  ids: { "T-001": "step01/a.code-task.md", "T-002": "../../../../../etc/x.code-task.md" },
};

async function read(id: string, list_origin: typeof origin | undefined) {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  await files.write(".ralph/agents.md", "Use make.");
  await files.write(".ralph/specs/auth/discovery.md", "Users need a way in.");
  await files.write(".ralph/specs/auth/design/detailed-design.md", " \n");
  await files.write(".ralph/specs/auth/implementation/step01/a.code-task.md", "# Task: a");
  const state = runOf([task("T-001"), task("T-002"), task("T-003")]);
  const session = { ...state.session, ...(list_origin && { list_origin }) };
  const notes = await readReferenceDocuments(files, { session }, { task: task(id) });
  return notes.map(({ label, text }) => `${label}: ${text}`);
}

test("a team's guide is always read", async () => {
  expect(await read("T-001", undefined)).toEqual([".ralph/agents.md: Use make."]);
  expect(await read("T-003", origin)).toEqual([".ralph/agents.md: Use make."]);
});

test("a task of a team is read with its goal, as far as there is something", async () => {
  expect(await read("T-001", origin)).toEqual([
    ".ralph/agents.md: Use make.",
    ".ralph/specs/auth/discovery.md: Users need a way in.",
    ".ralph/specs/auth/implementation/step01/a.code-task.md: # Task: a",
  ]);
});

test("nothing outside of the project is read", async () => {
  expect(await read("T-002", origin)).toEqual([
    ".ralph/agents.md: Use make.",
    ".ralph/specs/auth/discovery.md: Users need a way in.",
  ]);
});

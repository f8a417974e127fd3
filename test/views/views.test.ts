import { expect, test } from "vitest";
import { createDocuments, createViews } from "../../src/views/views.ts";
import { runOf, task } from "../support/builders/session.ts";

const paths = { progress: "docs/progress.txt", learnings: "write" } as const;

test("each view has its own name", () => {
  const names = createViews(paths).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test("the documents of a session are the files we commit", () => {
  const state = runOf([task("T-001")]);
  expect(createDocuments(paths).map(({ path }) => path(state))).toEqual([
    ".ralph/prd.json",
    "docs/progress.txt",
    "AGENTS.md",
    ".ralph/guardrails.md",
  ]);
});

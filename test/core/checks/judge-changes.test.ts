import { expect, test } from "vitest";
import { judgeChanges } from "../../../src/core/checks/judge-changes.ts";
import type { Role } from "../../../src/core/state/roles.ts";

const changes = ["src/a.js", "tests/a.test.js", ".github/workflows/ci.yml", ".ralph/prd.json"].map(
  (path) => ({ path, kind: "modified" as const }),
);
const guarded = [".github/workflows/ci.yml", ".ralph/prd.json"];

test.each<[Role, string[], string[]]>([
  ["implementation", guarded, []],
  ["test_writing", guarded, ["src/a.js"]],
  ["review", changes.map(({ path }) => path), []],
  ["planning", changes.map(({ path }) => path), []],
  ["fix", [...guarded, "tests/a.test.js"], []],
])("%s: what is put back, and what counts as trespassing", (role, refused, trespassed) => {
  const rules = {
    role,
    protection: { allow: [], own: [], agentFiles: [] },
    testPaths: ["tests/**"],
  };
  expect(judgeChanges(changes, rules)).toEqual({ refused, trespassed });
});

test("`protect.allow` lifts a protection, but never that of our own files", () => {
  const protection = {
    allow: [".github/**", ".ralph/**"],
    own: [".ralph/prd.json"],
    agentFiles: [],
  };
  const rules = { role: "implementation" as const, protection, testPaths: ["tests/**"] };
  expect(judgeChanges(changes, rules).refused).toEqual([".ralph/prd.json"]);
});

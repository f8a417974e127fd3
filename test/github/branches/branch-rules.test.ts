import { expect, test } from "vitest";
import { findObstacle } from "../../../src/github/branches/branch-rules.ts";

const branch = "ralph/example";
const rows: [types: string[], commits: "git" | "api", says: string | undefined][] = [
  [[], "git", undefined],
  [["creation", "deletion", "non_fast_forward", "required_linear_history"], "git", undefined],
  [["pull_request"], "git", "Require a pull request before merging."],
  [["update", "required_status_checks"], "api", "Restrict updates, Require status checks to pass."],
  [["required_signatures"], "git", "wants signed commits on ralph/example"],
  [["required_signatures"], "api", undefined],
];

test.each(rows)("rules %j with `commits: %s` are an obstacle, or none", (types, commits, says) => {
  const obstacle = findObstacle(types, { branch, commits });
  if (says === undefined) expect(obstacle).toBeUndefined();
  else expect(obstacle?.message).toContain(says);
});

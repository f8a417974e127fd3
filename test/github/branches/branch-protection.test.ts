import { expect, test } from "vitest";
import { findProtection, type UpdateRule } from "../../../src/github/branches/branch-protection.ts";

const branch = "ralph/example";
const harmless: UpdateRule = {
  ...{ pattern: "ralph/*", requiresSignatures: false, viewerCanPush: true },
  ...{ requiredApprovingReviewCount: null, requiredStatusCheckContexts: null },
};
const rows: [rule: Partial<UpdateRule>, commits: "git" | "api", says: string | undefined][] = [
  [{}, "git", undefined],
  [{ requiredApprovingReviewCount: 0, requiredStatusCheckContexts: [] }, "git", undefined],
  [{ requiredApprovingReviewCount: 1 }, "git", "Require a pull request before merging."],
  [{ requiredStatusCheckContexts: ["ci"] }, "api", "Require status checks to pass."],
  [{ viewerCanPush: false }, "git", "Restrict who can push, or Lock branch."],
  [
    { viewerCanPush: false, requiredApprovingReviewCount: 2 },
    "git",
    "Require a pull request before merging.",
  ],
  [{ requiresSignatures: true }, "git", "wants signed commits on ralph/example"],
  [{ requiresSignatures: true }, "api", undefined],
];

test.each(rows)(
  "a protection with %j and `commits: %s` is an obstacle, or none",
  (rule, commits, says) => {
    const obstacle = findProtection({ ...harmless, ...rule }, { branch, commits });
    if (says === undefined) expect(obstacle).toBeUndefined();
    else expect(obstacle?.message).toContain(says);
  },
);

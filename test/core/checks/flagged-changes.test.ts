import { expect, test } from "vitest";
import { flaggedChanges } from "../../../src/core/checks/flagged-changes.ts";

const rules = {
  testPaths: ["tests/**", "**/*.test.*"],
  gateCommands: ["./scripts/check.sh --strict && bash 'ci/lint.sh'", "npm test"],
};
const reasonOf = (path: string, status = "M") =>
  flaggedChanges([{ path, status }], rules)[0]?.because;

test.each([
  [".gitignore", "ignore-rules"],
  ["web/.eslintignore", "ignore-rules"],
  ["package.json", "manifest"],
  ["packages/a/package.json", "manifest"],
  ["pyproject.toml", "manifest"],
  ["requirements-dev.txt", "manifest"],
  ["go.mod", "manifest"],
  [".npmrc", "manifest"],
  ["package-lock.json", "lockfile"],
  ["uv.lock", "lockfile"],
  ["Cargo.lock", "lockfile"],
  ["go.sum", "lockfile"],
  ["scripts/check.sh", "gate-script"],
  ["ci/lint.sh", "gate-script"],
  ["Makefile", "gate-settings"],
  ["tests/conftest.py", "gate-settings"],
  ["tsconfig.build.json", "gate-settings"],
  [".eslintrc.cjs", "gate-settings"],
  ["vitest.config.ts", "gate-settings"],
  ["tests/login.js", "old-test"],
  ["src/login.test.ts", "old-test"],
])("a changed %s is flagged as %s", (path, because) => expect(reasonOf(path)).toBe(because));

test.each(["src/login.ts", "scripts/other.sh", "docs/package.json.md", "src/makefile.ts"])(
  "a changed %s is not flagged",
  (path) => expect(reasonOf(path)).toBeUndefined(),
);

test("a new test is no old one, a deleted one is", () => {
  expect(reasonOf("tests/login.js", "A")).toBeUndefined();
  expect(reasonOf("tests/login.js", "D")).toBe("old-test");
});

test("a new manifest is flagged too", () =>
  expect(reasonOf("web/package.json", "A")).toBe("manifest"));

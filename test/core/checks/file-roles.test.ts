import { expect, test } from "vitest";
import { roleTeller } from "../../../src/core/checks/file-roles.ts";

const role = roleTeller({
  testPaths: ["tests/**", "checks/*.js", "!spec/**"],
  gateCommands: [
    "npm test",
    "sh ci/gate.sh && sh test.sh",
    "vitest run src/index.spec.ts",
    "node src/check.js && python3 tool.py",
    "node tests/run.js",
  ],
});

test.each([
  ["src/a.ts", "product"],
  ["lib/index.js", "product"],
  ["test.js", "test"],
  ["test_six.py", "test"],
  ["pkg/flag_test.go", "test"],
  ["test-stringify.js", "test"],
  ["index.test-d.ts", "test"],
  ["src/__snapshots__/a.snap", "test"],
  ["fixtures/a.toml", "test"],
  ["testdata/in.json", "test"],
  ["checks/a.js", "test"],
  ["src/main/ParserTest.java", "test"],
  ["spec/product.yaml", "product"],
  ["src/contest.js", "product"],
  ["src/attestation.js", "product"],
  ["package.json", "control"],
  ["Makefile", "control"],
  ["GNUmakefile", "control"],
  ["ci/gate.sh", "script"],
  ["test.sh", "script"],
  ["tests/run.js", "script"],
  ["src/check.js", "product"],
  ["tool.py", "product"],
  ["go.mod", "other"],
  ["src/index.spec.ts", "test"],
  [".npmrc", "control"],
  [".env.test", "control"],
  ["sitecustomize.py", "control"],
  ["vitest.setup.ts", "control"],
  [".mvn/jvm.config", "control"],
  ["package-lock.json", "other"],
  [".gitignore", "other"],
  [".github/workflows/tests.yaml", "other"],
  [".travis.yml", "other"],
  ["codecov.yaml", "other"],
  ["src/index.bench.ts", "other"],
  ["benchmarks/test_speed.py", "other"],
  ["docs/guide.md", "other"],
  ["README.md", "other"],
  ["dist/a.min.js", "other"],
  ["types/index.d.ts", "other"],
])("%s is %s to the proof", (path, expected) => {
  expect(role(path)).toBe(expected);
});

import { expect, test } from "vitest";
import { programsOf } from "../../src/scan/checks/tools.ts";

test.each<[string, string[]]>([
  ["npm test", ["npm"]],
  ["npm ci && npm run build; pytest -q | tee log", ["npm", "pytest", "tee"]],
  ["CI=1 NODE_ENV=test npx vitest", ["npx"]],
  ["cd frontend && npm test", ["cd", "npm"]],
  ["./gradlew test", []],
  ["node_modules/.bin/eslint .", []],
  [".venv/bin/pytest || true", ["true"]],
  ["sh -c 'a && b; c'", ["sh"]],
  ["python3 - <<EOF\nimport x; y && z\nEOF", ["python3"]],
  ["$TOOL --check", []],
  ["$(which go) test", []],
  ["! grep -r TODO src", []],
  ["clang++-18 x.cc", ["clang++-18"]],
  ["", []],
])("%j begins with %j", (command, programs) => {
  expect(programsOf(command)).toEqual(programs);
});

test("a very long command is read to its end", () => {
  expect(programsOf("A=1 ".repeat(200_000))).toEqual([]);
  expect(programsOf("a ".repeat(200_000))).toEqual(["a"]);
});

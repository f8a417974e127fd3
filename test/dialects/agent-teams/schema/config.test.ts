import { expect, test } from "vitest";
import { readTeamConfig } from "../../../../src/dialects/agent-teams/schema/config.ts";

test("simple assignments are read, as a shell would", () => {
  const { config, findings } = readTeamConfig(`#!/bin/bash
# a remark
MODEL="opus"   # and why
export GATE_TEST="npm test --prefix \\"a b\\""
GATE_LINT='ruff check $HOME'
GATE_TYPECHECK=""
GATE_BUILD=make
MAX_CONSECUTIVE_FAILURES=5
MAX_TASKS_PER_TEAMMATE=
QUALITY_LEVEL=prototype
`);
  expect(findings).toEqual([]);
  expect(config.gates).toEqual([
    { name: "test", cmd: 'npm test --prefix "a b"' },
    { name: "lint", cmd: "ruff check $HOME" },
    { name: "build", cmd: "make" },
  ]);
  expect(config.numbers).toMatchObject({
    MAX_CONSECUTIVE_FAILURES: 5,
    MAX_TASKS_PER_TEAMMATE: 20,
    MAX_TEAMMATES: 2,
  });
  expect(config.qualityLevel).toBe("prototype");
});

test.each([
  ["GATE_TEST=$(cat x)", "gives GATE_TEST a value that only a shell can compute"],
  ['GATE_TEST="echo $HOME"', "gives GATE_TEST a value that only a shell can compute"],
  ['GATE_TEST="`id`"', "gives GATE_TEST a value that only a shell can compute"],
  ['GATE_TEST="a" && rm -rf /', "gives GATE_TEST a value that only a shell can compute"],
  ["GATE_TEST=npm test", "gives GATE_TEST a value that only a shell can compute"],
  ['GATE_TEST="a\\', "gives GATE_TEST a value that only a shell can compute"],
  ["source other.sh", "is not an assignment such as NAME=value; it is not run"],
  ["if true; then", "is not an assignment"],
  ["MAX_TEAMMATES=many", 'gives MAX_TEAMMATES the value "many", which is not a number'],
  ["GATE_TESTS=x", "is not a setting of a team; it is not used (did you mean GATE_TEST?)"],
  ["__proto__=x", "sets __proto__, which is not a setting of a team"],
  ["toString=x", "sets toString, which is not a setting of a team"],
])("%j is reported with its line and not used", (line, message) => {
  const { config, findings } = readTeamConfig(`\n${line}\n`);
  expect(findings).toMatchObject([
    { severity: "warning", path: [2], message: expect.stringContaining(message) },
  ]);
  expect(config).toEqual(readTeamConfig("").config);
});

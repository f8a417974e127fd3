import { describe, expect, test } from "vitest";
import {
  hasOldName,
  inputNames,
  readInputs,
  variableOf,
} from "../../../src/action/inputs/inputs.ts";
import { RalphError } from "../../../src/error.ts";
import { inputsOf } from "../../support/action/step.ts";

/** One good value of each input, and what it is read as. */
const good: Record<string, [text: string, value: unknown]> = {
  command: ["prove", "prove"],
  mode: ["publish", "publish"],
  config: ["ci/ralph.yml", "ci/ralph.yml"],
  "prd-json": ["tasks.json", "tasks.json"],
  "reports-dir": ["notes", "notes"],
  report: ["notes/may.md", "notes/may.md"],
  "issue-number": ["12", 12],
  "base-branch": ["release/1.0", "release/1.0"],
  branch: ["ralph/login", "ralph/login"],
  agent: ["codex", "codex"],
  "agent-command": ["my-agent --fast", "my-agent --fast"],
  "agent-version": ["2.1.329", "2.1.329"],
  "model-impl": ["large", "large"],
  "model-test": ["small", "small"],
  "model-review": ["other", "other"],
  gates: ["build", "build"],
  "max-iterations": ["3", 3],
  parallel: ["4", 4],
  env: ["prod", "prod"],
  "post-verify": ["false", false],
  "budget-usd": ["2.50", 2.5],
  "timeout-minutes": ["90", 90],
  "resume-from": ["12345", "12345"],
  orders: ["123,456", [123, 456]],
  sandbox: ["required", "required"],
  "session-artifact": ["false", false],
  "create-pr": ["false", false],
  draft: ["true", true],
  comment: ["false", false],
  "artifact-suffix": ["web", "web"],
  labels: ["ralph, needs review", ["ralph", "needs review"]],
  reviewers: ["ada,octo/core", ["ada", "octo/core"]],
  assignees: ["ada", ["ada"]],
  "keep-going": ["true", true],
  verbose: ["true", true],
  "working-directory": ["apps/web", "apps/web"],
  "dry-run": ["true", true],
};

/** These belong to a command of their own. */
const forAutopilot = ["reports-dir", "report", "issue-number", "branch"];
const commandOf = (name: string) => (forAutopilot.includes(name) ? { command: "autopilot" } : {});

test("every input has a case here", () => {
  expect(Object.keys(good).sort()).toEqual(inputNames.toSorted());
});

test.each(Object.entries(good))("%s is read", (name, [text, value]) => {
  expect(inputsOf({ ...commandOf(name), [name]: text })).toMatchObject({ [name]: value });
});

test.each(inputNames)("%s counts as not given if it is empty or blank", (name) => {
  expect(inputsOf({ [name]: "" })).toEqual(inputsOf());
  expect(inputsOf({ [name]: " \t\n" })).toEqual(inputsOf());
});

test("the defaults of all inputs", () => {
  expect(readInputs({})).toEqual({
    command: "run",
    mode: "all",
    ...{ labels: [], reviewers: [], assignees: [] },
    "session-artifact": true,
    "create-pr": true,
    draft: false,
    comment: true,
    "keep-going": false,
    verbose: false,
    "dry-run": false,
  });
});

test("each input has a variable of its own", () => {
  expect(variableOf("agent-command")).toBe("INPUT_AGENT_COMMAND");
  expect(new Set(inputNames.map(variableOf)).size).toBe(inputNames.length);
});

const refused: [given: Record<string, string>, says: RegExp][] = [
  [{ command: "fly" }, /Input command: must be/],
  [{ mode: "split" }, /Input mode: must be/],
  [{ gates: "all" }, /Input gates: must be/],
  [{ sandbox: "on" }, /Input sandbox: must be/],
  [{ "agent-version": "latest" }, /Input agent-version: must be one exact version/],
  [{ "agent-version": "^2.1.0" }, /agent-version/],
  [{ "agent-version": "2.1.0 --registry=http://evil" }, /agent-version/],
  [{ "max-iterations": "0" }, /Input max-iterations: must be a whole number from 1 on/],
  [{ "max-iterations": "1e3" }, /max-iterations/],
  [{ parallel: "all" }, /Input parallel: must be a whole number from 1 on/],
  [{ parallel: "33" }, /Input parallel: must be at most 32/],
  [{ "budget-usd": "$5" }, /Input budget-usd: must be an amount in US dollars/],
  [{ "budget-usd": "-1" }, /budget-usd/],
  [{ "timeout-minutes": "7201" }, /Input timeout-minutes: must be at most 7200/],
  [{ "timeout-minutes": "2h" }, /timeout-minutes/],
  [{ "issue-number": "0" }, /Input issue-number: must be the number of an issue/],
  [{ "issue-number": "#12" }, /issue-number/],
  [{ "issue-number": "12 --report x" }, /issue-number/],
  [{ "resume-from": "../1" }, /Input resume-from: must be the id of a workflow run/],
  [{ "dry-run": "yes" }, /Input dry-run: must be "true" or "false"/],
  [{ verbose: "TRUE" }, /verbose/],
  [{ config: "a\n::error::b" }, /Input config: must be a single line/],
  ...["-x", "a b", "a..b", "refs/heads/main", "HEAD", "@{-1}", "a.lock", "a:b"].map(
    (name): [Record<string, string>, RegExp] => [
      { "base-branch": name },
      /Input base-branch: must/,
    ],
  ),
  [{ agent: "a\rb" }, /Input agent: must be a single line/],
  [{ "model-impl": "a\0b" }, /Input model-impl: must be one word/],
];

describe("a wrong input", () => {
  test.each(refused)("%j is exit 1", (given, says) => {
    expect(() => inputsOf(given)).toThrow(says);
    expect(errorOf(given)).toMatchObject({ exitCode: 1, remedy: expect.stringContaining("with:") });
  });

  test("is named together with all others", () => {
    const { message } = errorOf({ gates: "x", "budget-usd": "y", "resume-from": "z" });
    expect(message.match(/^Input [\w-]+/gm)).toEqual([
      "Input gates",
      "Input budget-usd",
      "Input resume-from",
    ]);
  });
});

const conflicts: Record<string, string>[] = [
  { "dry-run": "true", "resume-from": "1" },
  { command: "prove", mode: "publish" },
  { command: "publish", mode: "run" },
  { mode: "publish", "dry-run": "true" },
  { command: "prove", "resume-from": "1" },
  { command: "prove", "agent-version": "1.0.0" },
  { command: "publish", "agent-command": "x" },
  { command: "claim", mode: "run" },
  { command: "claim", "agent-version": "1.0.0" },
  { command: "release", "resume-from": "1" },
  { command: "claim", "base-branch": "main" },
  { command: "autopilot", "prd-json": "tasks.json" },
];

const misplaced: Record<string, string>[] = [
  { command: "autopilot", report: "a.md", "issue-number": "1" },
  { command: "run", report: "a.md" },
  { command: "prove", "issue-number": "1" },
  { command: "publish", "reports-dir": "notes" },
  { command: "autopilot", mode: "publish", report: "a.md" },
];

describe("inputs that would be ignored", () => {
  test.each([...conflicts, ...misplaced])("%j are refused", (given) => {
    expect(errorOf(given)).toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/^Input /),
    });
  });

  test.each(conflicts)("each of %j is valid alone", (given) => {
    const alone = Object.entries(given).map(([name, value]) => ({ [name]: value }));
    expect(() => alone.forEach(inputsOf)).not.toThrow();
  });
});

function errorOf(given: Record<string, string>): RalphError {
  try {
    inputsOf(given);
  } catch (error) {
    if (error instanceof RalphError) return error;
  }
  throw new Error("Nothing was refused.");
}

test("the old name of prove is read as prove, and noticed", () => {
  const env = { INPUT_COMMAND: "verify" };
  expect(readInputs(env).command).toBe("prove");
  expect([hasOldName(env), hasOldName({ INPUT_COMMAND: "prove" })]).toEqual([true, false]);
});

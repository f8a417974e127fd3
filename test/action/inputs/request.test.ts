import { expect, test } from "vitest";
import { directoryOf, runOptionsOf, sessionSystem } from "../../../src/action/inputs/request.ts";
import { inputsOf } from "../../support/action/step.ts";
import { createTestSystem } from "../../support/project/system.ts";

const workspace = { GITHUB_WORKSPACE: "/w/repo" };
const directory = (folder: string) =>
  directoryOf(inputsOf({ "working-directory": folder }), workspace);

test.each([
  ["", "/w/repo"],
  [".", "/w/repo"],
  ["./", "/w/repo"],
  ["apps/web", "/w/repo/apps/web"],
  ["apps//web/", "/w/repo/apps/web"],
  ["apps/../lib", "/w/repo/lib"],
  ["..apps", "/w/repo/..apps"],
])("working-directory %j is %s", (folder, path) => {
  expect(directory(folder)).toBe(path);
});

test.each(["..", "../other", "apps/../../other", "/etc", "//etc"])(
  "working-directory %j, outside of the checkout, is refused",
  (folder) => {
    expect(() => directory(folder)).toThrow(/is not a folder inside the checkout/);
  },
);

test("outside of a job the folder is not guessed", () => {
  expect(() => directoryOf(inputsOf(), {})).toThrow(/GITHUB_WORKSPACE is not set/);
});

test("inputs become the options of the same name", () => {
  const inputs = inputsOf({
    "prd-json": "tasks.json",
    "model-impl": "large",
    "model-test": "small",
    "model-review": "other",
    agent: "codex",
    gates: "none",
    "max-iterations": "3",
    parallel: "2",
    env: "prod",
    "post-verify": "true",
    "budget-usd": "1.5",
    sandbox: "off",
    "timeout-minutes": "90",
    "keep-going": "true",
  });
  expect(runOptionsOf(inputs, { env: {}, bundle: "/b" })).toEqual({
    prdJson: "tasks.json",
    modelImpl: "large",
    modelTest: "small",
    modelReview: "other",
    agent: "codex",
    gates: "none",
    maxIterations: 3,
    parallel: 2,
    env: "prod",
    postVerify: true,
    budget: 1.5,
    sandbox: "off",
    jobMinutes: 90,
    keepGoing: true,
    dryRun: false,
    resume: "/b",
  });
});

async function variables(given: Record<string, string>, handed = "") {
  await using system = await createTestSystem();
  const { env } = sessionSystem(system, { inputs: inputsOf(given), handed });
  return Object.fromEntries(Object.entries(env).filter(([name]) => !(name in system.env)));
}

test("agent-command replaces the program of the named driver", async () => {
  expect(await variables({ agent: "codex", "agent-command": "x --y" })).toEqual({
    RALPH_CODEX_CMD: "x --y",
  });
});

test("agent-command without agent applies to the driver of the configuration", async () => {
  expect(Object.keys(await variables({ "agent-command": "x" })).sort()).toEqual([
    "RALPH_CLAUDE_CMD",
    "RALPH_CODEX_CMD",
    "RALPH_GEMINI_CMD",
  ]);
});

test("agent-command for a driver without a program, or an unknown one, is refused", async () => {
  await expect(variables({ agent: "command", "agent-command": "x" })).rejects.toThrow(
    /Input agent-command: the driver command/,
  );
  await expect(variables({ agent: "clod", "agent-command": "x" })).rejects.toThrow(/named "clod"/);
});

test("the passed keys are variables of the session", async () => {
  expect(await variables({}, "k1\n\nk3\n")).toEqual({
    ANTHROPIC_API_KEY: "k1",
    OPENAI_API_KEY: "k3",
  });
});

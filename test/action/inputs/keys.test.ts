import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseKeys, parseVariables } from "../../../src/action/inputs/keys.ts";
import { sourceUrl } from "../../support/project/programs.ts";
import { createTestFolder } from "../../support/project/system.ts";

test("keys are one per line, in the order of action.yml; empty ones are left out", () => {
  expect(parseKeys("a\nb\nc\nd\ne\n")).toEqual({
    ANTHROPIC_API_KEY: "a",
    CLAUDE_CODE_OAUTH_TOKEN: "b",
    OPENAI_API_KEY: "c",
    OPENROUTER_API_KEY: "d",
    AI_GATEWAY_API_KEY: "e",
  });
  expect(parseKeys("\n b \n\n\n\n")).toEqual({ CLAUDE_CODE_OAUTH_TOKEN: "b" });
  expect(parseKeys("\n\n\n\n\n")).toEqual({});
  expect(parseKeys("")).toEqual({});
});

test.each(["a\n\nb\nc\nd\ne\n", "a\nb\nc\nd\ne\nf\n", "a\n\n\nc\nd\ne\n\n"])(
  "%j, a key with a line break, is refused, since it would shift all later keys",
  (handed) => {
    expect(() => parseKeys(handed)).toThrow(/A model key contains a line break/);
  },
);

const runStep: { run: string } = parse(readFileSync("action.yml", "utf8")).runs.steps.find(
  ({ id }: { id?: string }) => id === "run",
);

/** Replaces the action: prints the environment the process was started with, and the text of the descriptor. */
const spy = `
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readDescriptor } from "${sourceUrl("platform/input.ts")}";
const handed = readDescriptor(3);
const first = readFileSync("/proc/self/environ", "latin1");
console.log(JSON.stringify({ handed, first, now: process.env, args: process.argv.slice(2) }));
`;

async function runWith(env: Record<string, string>, script = runStep.run) {
  await using folder = await createTestFolder();
  const place = join(folder.path, "dist");
  mkdirSync(place);
  writeFileSync(join(place, "action.js"), spy);
  writeFileSync(join(folder.path, "package.json"), '{"type":"module"}');
  const output = execFileSync("bash", ["-e", "-o", "pipefail", "-c", script], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH,
      RALPH_NODE: process.execPath,
      GITHUB_ACTION_PATH: folder.path,
      ...env,
    },
  });
  return JSON.parse(output.toString());
}

test.runIf(process.platform === "linux")(
  "the step of action.yml passes the keys, and the process has none in its initial environment (T16)",
  async () => {
    const keys = {
      RALPH_KEY_ANTHROPIC: "canary-1",
      RALPH_KEY_CLAUDE_OAUTH: "",
      RALPH_KEY_OPENAI: "canary-3",
      RALPH_KEY_OPENROUTER: "canary-6",
      RALPH_KEY_GATEWAY: "canary-7",
    };
    const tokens = { GITHUB_TOKEN: "canary-4", GH_TOKEN: "canary-5" };
    const seen = await runWith({ ...keys, ...tokens, RALPH_AGENT_PATH: "/agents:" });
    expect(parseKeys(seen.handed)).toEqual({
      ANTHROPIC_API_KEY: "canary-1",
      OPENAI_API_KEY: "canary-3",
      OPENROUTER_API_KEY: "canary-6",
      AI_GATEWAY_API_KEY: "canary-7",
    });
    expect(seen.args).toEqual(["run"]);
    expect(seen.now.PATH).toMatch(/^\/agents:/);
    expect(`${seen.first}${JSON.stringify(seen.now)}`).not.toContain("canary");
  },
);

test.runIf(process.platform === "linux")(
  "a key in the job's environment is used without an input, and is passed in the same way",
  async () => {
    const seen = await runWith({
      ANTHROPIC_API_KEY: "canary-env",
      OPENAI_API_KEY: "canary-old",
      RALPH_KEY_OPENAI: "canary-new",
    });
    expect(parseKeys(seen.handed)).toEqual({
      ANTHROPIC_API_KEY: "canary-env",
      OPENAI_API_KEY: "canary-new",
    });
    expect(seen.first).not.toContain("canary");
  },
);

test.runIf(process.platform === "linux")(
  "a step that does not remove its variables exposes them while it runs",
  async () => {
    const script = runStep.run.replaceAll(/-u RALPH_KEY_\w+/g, "");
    const seen = await runWith({ RALPH_KEY_ANTHROPIC: "canary-1" }, script);
    expect(seen.first).toContain("canary-1");
  },
);

test("a key with a line break is refused in the run step", async () => {
  const seen = await runWith({ RALPH_KEY_ANTHROPIC: "one\ntwo", RALPH_KEY_OPENAI: "three" });
  expect(() => parseKeys(seen.handed)).toThrow(/line break/);
});

test("variables follow the keys; a name of the runner's own is refused", async () => {
  const seen = await runWith({
    RALPH_KEY_OPENAI: "key",
    RALPH_VARIABLES: "NPM_TOKEN=abc=1\n\nCLAUDE_CODE_USE_BEDROCK=1\n",
  });
  expect(parseKeys(seen.handed)).toEqual({
    ...{ OPENAI_API_KEY: "key", NPM_TOKEN: "abc=1", CLAUDE_CODE_USE_BEDROCK: "1" },
  });
  expect(() => parseVariables("PATH=/x")).toThrow("The variable PATH belongs to the runner");
  expect(() => parseVariables("A=1\n\nb c\nCI=1")).toThrow(
    "Line 3 of the variables is not NAME=value. The variable CI belongs to the runner",
  );
});

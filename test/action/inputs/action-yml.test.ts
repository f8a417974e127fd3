import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { inputNames, variableOf } from "../../../src/action/inputs/inputs.ts";
import { keyInputs } from "../../../src/action/inputs/keys.ts";
import { outputNames } from "../../../src/action/job/outputs.ts";

type Step = {
  id?: string;
  name: string;
  if?: string;
  run?: string;
  uses?: string;
  env?: Record<string, string>;
};
const action: {
  inputs: Record<string, { default?: string; description: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: Step[] };
} = parse(readFileSync("action.yml", "utf8"));
const { steps } = action.runs;
const ours = steps.filter(({ run }) => run?.includes("dist/action.js"));
const secret = [...keyInputs.map(({ input }) => input), "github-token"];

const declared = Object.keys(action.inputs).filter((name) => !secret.includes(name));

test("every declared input is read, and no other", () => {
  expect(declared.sort()).toEqual(inputNames.toSorted());
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(secret));
});

test("every input reaches a step through its own variable, and no variable lacks an input", () => {
  const pairs = steps.flatMap(({ env = {} }) =>
    Object.entries(env).filter(([name]) => name.startsWith("INPUT_")),
  );
  const expected = inputNames.map((name) => [variableOf(name), `\${{ inputs.${name} }}`]);
  const unique = new Map(pairs);
  expect([...unique].sort()).toEqual(expected.toSorted());
  for (const [name, value] of pairs) expect([name, value]).toEqual([name, unique.get(name)]);
});

test("the run step gets every input that the prepare step checks", () => {
  const names = (id: string) =>
    Object.keys(steps.find((step) => step.id === id)?.env ?? {})
      .filter((name) => name.startsWith("INPUT_"))
      .sort();
  expect(names("prepare")).toEqual(inputNames.map(variableOf).sort());
  expect(names("run")).toEqual(names("prepare"));
});

/** What the code of each step reads of its inputs, beyond what decides whether it runs. */
const needed: Record<string, string[]> = {
  begin: [
    ...["command", "mode", "config", "prd-json", "base-branch", "resume-from", "dry-run"],
    ...["create-pr", "artifact-suffix", "working-directory"],
  ],
  claim: ["report", "issue-number", "resume-from", "timeout-minutes"],
  download: ["command", "resume-from", "issue-number", "orders", "artifact-suffix"],
  prove: [
    ...["command", "config", "base-branch", "sandbox", "working-directory", "artifact-suffix"],
  ],
  publish: [
    ...["command", "mode", "config", "prd-json", "working-directory"],
    ...["create-pr", "draft", "comment", "base-branch", "branch", "artifact-suffix"],
    ...["labels", "reviewers", "assignees"],
  ],
  seal: ["command", "working-directory"],
};

test.each(Object.entries(needed))("the step %s gets every input it reads", (id, names) => {
  const { env = {} } = steps.find((step) => step.id === id) ?? {};
  expect(Object.keys(env)).toEqual(expect.arrayContaining(names.map(variableOf)));
});

test("every declared output is written by a step, and every written output is declared", () => {
  expect(Object.keys(action.outputs).sort()).toEqual(outputNames.toSorted());
  const ids = ours.flatMap(({ id }) => id ?? []);
  for (const [name, { value }] of Object.entries(action.outputs)) {
    const sources = [...value.matchAll(/steps\.([\w-]+)\.outputs\.([\w-]+)/g)];
    expect(sources.length).toBeGreaterThan(0);
    for (const [, id, output] of sources) {
      expect(ids).toContain(id);
      expect(output).toBe(name);
    }
  }
});

test("a failure of any step reaches the outputs status, stop-reason and exit-code", () => {
  for (const name of ["status", "stop-reason", "exit-code"]) {
    for (const { id } of ours) expect(action.outputs[name]?.value).toContain(`steps.${id}.outputs`);
  }
});

test("every step replaces its shell with ralph, since a runner only signals the first process (V5)", () => {
  expect(ours.map(({ id }) => id)).toEqual([
    ...["begin", "prepare", "claim", "download", "run", "seal", "prove", "publish", "release"],
  ]);
  for (const { id, run = "" } of ours) {
    const last = run.replaceAll("\\\n", " ").trim().split("\n").at(-1)?.trim();
    const line = new RegExp(
      `^exec (?:env(?: +-u \\w+)+ +)?"\\$RALPH_NODE" "\\$GITHUB_ACTION_PATH/dist/action\\.js" ${id}(?: 3<<<"\\$\\w+")?$`,
    );
    expect(last).toMatch(line);
  }
});

test("a secret is removed from the environment of its step, and no other step gets it", () => {
  for (const { name, run = "", env = {} } of steps) {
    const given = Object.entries(env).filter(([, value]) => isSecret(value));
    for (const [variable] of given) expect(run, name).toContain(`-u ${variable}`);
    if (given.length > 0) expect(run).toContain("3<<<");
  }
  const holders = steps.filter(({ env = {} }) => Object.values(env).some(isSecret));
  expect(holders.map(({ id }) => id)).toEqual([
    ...["begin", "claim", "download", "run", "publish", "release"],
  ]);
});

const isSecret = (value: string) => secret.some((name) => value.includes(`inputs.${name} }}`));

test("no shell line contains an expression (T52)", () => {
  for (const { run = "" } of steps) expect(run).not.toContain("${{");
});

import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { documentedProgram } from "../../.github/scripts/docs/fill-docs.ts";
import { checkShape } from "../../src/schema/base/check-shape.ts";
import { checkConfig } from "../../src/schema/config/check-config.ts";
import { Organization } from "../../src/schema/config/organization.ts";
import { checkPrd } from "../../src/schema/tasks/check-prd.ts";
import { Evaluation } from "../../src/schema/tasks/evaluation.ts";
import { blocksOf } from "./pages.ts";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: Record<string, string>;
};

const minimal = { version: "1", task_source: { type: "prd_json", path: ".ralph/prd.json" } };
const isWorkflow = (value: object) => "jobs" in value;
const isEvaluation = (value: object) => "tasks" in value;
const isOrganization = (value: object) => "repositories" in value;
const blocks = blocksOf("yaml").map((block) => ({ ...block, value: parse(block.code) }));
const others = [isWorkflow, isEvaluation, isOrganization];
const configurations = blocks.filter(({ value }) => !others.some((is) => is(value)));

test.each(blocks.filter(({ value }) => isOrganization(value)))(
  "an owner's settings in $path are valid",
  ({ value }) => {
    expect(checkShape(Organization, value)).toMatchObject({ kind: "valid" });
  },
);

test.each(blocks.filter(({ value }) => isEvaluation(value)))(
  "the evaluation in $path is valid",
  ({ value }) => {
    expect(checkShape(Evaluation, value)).toMatchObject({ kind: "valid" });
  },
);

test.each(configurations)("the configuration in $path is valid: $code", ({ code }) => {
  const value = {
    ...minimal,
    gates: { full: [{ name: "test", cmd: "npm test" }] },
    git: { base_branch: "main" },
    ...parse(code),
  };
  expect(checkConfig(value).findings).toEqual([]);
});

test.each(blocksOf("json"))("the task list in $path is valid", ({ code }) => {
  expect(checkPrd(JSON.parse(code)).findings).toEqual([]);
});

const lines = blocksOf("bash").flatMap(({ path, code }) =>
  code
    .split("\n")
    .map((line) => ({ path, line: line.replace(/#.*/, "").trim() }))
    .filter(({ line }) => line !== ""),
);

test.each(lines)("`$line` in $path can be typed as it is", ({ line }) => {
  for (const part of line.split("&&").map((each) => each.trim())) {
    const words = part.replace(/^(?:[A-Z_]+=\S+ )*/, "").split(/\s+/);
    if (words[0] === "npm") expect(isNpmCall(words), part).toBe(true);
    else if (words[0] === "npx" || words[0] === "ralph") {
      expect(isRalphCall(words.slice(words.indexOf("ralph") + 1)), part).toBe(true);
    } else expect(["git"], part).toContain(words[0]);
  }
});

const isNpmCall = ([, verb = "", name = ""]: string[]) =>
  verb === "ci" || verb === "install" || (verb === "run" ? name : verb) in scripts;

function isRalphCall([name, ...rest]: string[]): boolean {
  const command: Command | undefined = documentedProgram.commands.find(
    (each) => each.name() === name,
  );
  const known = new Set(command?.options.flatMap(({ short, long }) => [short, long]));
  const flags = rest.filter((word) => word.startsWith("-"));
  return command !== undefined && flags.every((flag) => known.has(flag));
}

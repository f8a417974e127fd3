import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Inputs,
  inputNames,
  readInputs,
  variableOf,
} from "../../../src/action/inputs/inputs.ts";
import { printTo, type StepContext } from "../../../src/action/step.ts";
import type { System } from "../../../src/platform/system.ts";
import { compileCache } from "../project/compile-cache.ts";
import { nodeCommand, sourceUrl } from "../project/programs.ts";
import { parseCommandFile } from "../runner/command-files.ts";

/** The inputs of a workflow, read as the steps read them; the others are left out. */
export function inputsOf(given: Record<string, string> = {}): Inputs {
  const wrong = Object.keys(given).filter((name) => !inputNames.includes(name));
  if (wrong.length > 0) throw new Error(`There is no input ${wrong.join(", ")}.`);
  const pairs = Object.entries(given).map(([name, value]) => [variableOf(name), value]);
  return readInputs(Object.fromEntries(pairs));
}

/** A step's context, and what it has printed. */
export function stepContext(
  system: System,
  { inputs = {}, handed = "" }: { inputs?: Record<string, string>; handed?: string } = {},
): StepContext & { printed: () => string } {
  let text = "";
  const print = printTo({
    write: (chunk) => {
      text += chunk;
    },
  });
  const cancel = new AbortController().signal;
  return { system, inputs: inputsOf(inputs), handed, cancel, print, printed: () => text };
}

/**
 * Runs `source` in a process of its own, where the runner's files are; `$SRC` in it is the URL of src/. Answers
 * the outputs as the runner reads them, and what was printed.
 */
export function runWithRunner(folder: string, source: string, input = "") {
  mkdirSync(folder, { recursive: true });
  const output = join(folder, "output");
  writeFileSync(output, "");
  const { file, args } = nodeCommand(source.replaceAll("$SRC/", sourceUrl("")));
  const env = { PATH: process.env.PATH, GITHUB_OUTPUT: output, ...compileCache };
  const printed = execFileSync(file, args, { env, input, maxBuffer: 2 ** 26 }).toString();
  return { printed, outputs: parseCommandFile(readFileSync(output, "utf8")) };
}

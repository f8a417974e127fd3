import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type CommandFiles,
  createCommandFiles,
  parseCommandFile,
  readPathFile,
} from "./command-files.ts";
import { createCommandReader } from "./command-reader.ts";
import type { Texts } from "./model.ts";
import { runProcess } from "./run-process.ts";
import { type Scope, settingOf, textIn } from "./scope.ts";
import { stepEnv } from "./step-env.ts";
import type { Fields } from "./tokens.ts";

export interface StepCall {
  scope: Scope;
  step: Fields;
  /** The step's own variables. */
  env: Texts;
  /** Aborted when the step has to stop. */
  signal: AbortSignal;
}

const shells: Record<string, string> = {
  "": "bash -e {0}",
  bash: "bash --noprofile --norc -e -o pipefail {0}",
  sh: "sh -e {0}",
  python: "python3 {0}",
};
const summaryLimit = 1024 * 1024;

/** A `run:` step: the script in a file, the shell as the entry process, the command files read afterwards. */
export async function runScript(call: StepCall): Promise<{ isGood: boolean; outputs: Texts }> {
  const { scope, step, env, signal } = call;
  const { job } = scope;
  const setting = settingOf(scope, env);
  const folder = join(job.place.temp, "_runner_file_commands", randomUUID());
  const files = createCommandFiles(folder);
  const script = join(job.place.temp, `${randomUUID()}.sh`);
  const text = textIn(setting, step.run);
  writeFileSync(script, `${text}\n`);
  const shell = textIn(setting, step.shell) || job.defaults.shell;
  const [file = "", ...args] = (shells[shell] ?? shell)
    .split(" ")
    .map((word) => word.replace("{0}", script));
  printHeader(scope, text, { shell: shells[shell] ?? shell, env: { ...scope.env, ...env } });
  const reader = createCommandReader(job.log, job);
  const inner = { ...scope, github: { ...scope.github, ...files } };
  const place = textIn(setting, step["working-directory"]) || job.defaults.workingDirectory;
  const code = await runProcess({
    file,
    args,
    cwd: resolve(job.place.workspace, place),
    env: stepEnv(inner, env),
    onLine: reader.read,
    signal,
    patience: job.host.patience,
  });
  const problem = (message: string) =>
    job.log.annotate({ level: "error", message, properties: {} });
  if (code !== 0 && !signal.aborted) problem(`Process completed with exit code ${code}.`);
  const { isGood, outputs } = takeFiles(scope, files, problem);
  rmSync(folder, { recursive: true });
  rmSync(script);
  return {
    isGood: code === 0 && isGood && !reader.hasFailed,
    outputs: { ...reader.outputs, ...outputs },
  };
}

/** The log shows the script and its variables before the output. */
function printHeader(scope: Scope, text: string, { shell, env }: { shell: string; env: Texts }) {
  const { log } = scope.job;
  log.write(`##[group]Run ${text.trim().split("\n")[0]}`);
  for (const line of text.trimEnd().split("\n")) log.write(line);
  log.write(`shell: ${shell}`);
  for (const [key, value] of Object.entries({ ...scope.job.env, ...env })) {
    log.write(`  ${key}: ${value}`);
  }
  log.write("##[endgroup]");
}

/** What the step wrote into its files; a file that cannot be read as such fails the step. */
function takeFiles({ job }: Scope, files: CommandFiles, problem: (message: string) => void) {
  let isGood = true;
  const read = (name: "output" | "env" | "state"): Texts => {
    try {
      return parseCommandFile(readFileSync(files[name], "utf8"));
    } catch (error) {
      isGood = false;
      problem(`Unable to process file command '${name}' successfully. ${(error as Error).message}`);
      return {};
    }
  };
  const { NODE_OPTIONS, ...variables } = read("env");
  if (NODE_OPTIONS !== undefined) {
    isGood = false;
    problem("Can't store NODE_OPTIONS output parameter using '$GITHUB_ENV' command.");
  }
  Object.assign(job.env, variables);
  read("state");
  const outputs = read("output");
  job.path.push(...readPathFile(files.path));
  const size = statSync(files.step_summary).size;
  if (size <= summaryLimit) {
    job.summary.push(job.log.mask(readFileSync(files.step_summary, "utf8")));
  } else {
    const got = Math.floor(size / 1024);
    problem(
      `$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k, got ${got}k.`,
    );
  }
  return { isGood, outputs };
}

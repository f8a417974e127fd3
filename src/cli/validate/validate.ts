import type { Command } from "commander";
import { type Problem, RalphError, renderProblem, visible } from "../../error.ts";
import { machineFile } from "../../sources/read-source.ts";
import { type Action, addAction, type CommandHost } from "../core/command.ts";
import { checkAnalysisFile, checkPrdFile, checkRecordFile } from "./check-autopilot-file.ts";
import { checkConfigFile } from "./check-config-file.ts";
import { checkSessionFolder } from "./check-session-folder.ts";
import { checkStateFile } from "./check-state-file.ts";
import { checkCompoundFile, checkRequestFile, checkTaskFile } from "./check-task-file.ts";
import type { CheckInput, Target, ValidFile } from "./target.ts";
import { type ValidateOptions, validationTargets } from "./validation-targets.ts";

const help = `
The kind of a file is told by its name and content: configuration, task list
(ours, that of another tool, or one in Markdown), session (a folder or a file of
it), analysis, run record, the requirements document of an autopilot, the
configuration of compound-product, or a state file of another tool (omx, omc,
claude-ralph, agent-teams). Without a name everything that exists is checked.

Exit 1: a configuration is wrong, 6: a session was changed by somebody else,
2: any other file is wrong. Of several kinds 6 wins, then 1.

Examples:
  ralph validate                           all that exists in the project
  ralph validate --tasks plans/next.json   a task list by any name
  ralph validate --session .ralph-session  formats, checksums, times
  ralph validate .ralph/autopilot/runs/20260125-143052-a7b3c9.json`;

/** `ralph validate`: every problem of every file, as `file:line:column: message`. */
export function addValidate(program: Command, host: CommandHost): void {
  const command = program
    .command("validate")
    .summary("check configuration, task list and session files")
    .description(
      "Names every problem as file:line:column: message. A configuration to check may also be given with the global option --config.",
    )
    .argument("[files...]", "what to check; default: all that exist")
    .option("--tasks <file>", "a task list")
    .option("--cr <file>", "a change request, or another Markdown file with a task list")
    .option("--session <folder>", "a session's folder")
    .addHelpText("after", help);
  addAction(command, host, validate);
}

const validate: Action<ValidateOptions> = async (context, options) => {
  const { system, output } = context;
  const { root, targets } = await validationTargets(context, options);
  const checked: FileCheck[] = [];
  for (const target of targets) checked.push(await checkTarget(system, { root, target }));
  const exitCode = worstOf(checked);
  if (output.wantsJson) output.json({ valid: exitCode === 0, exit_code: exitCode, files: checked });
  for (const check of checked) output[check.exitCode === 0 ? "result" : "problem"](describe(check));
  return exitCode;
};

/** Of several kinds of mistakes the worst decides (compatibility 1.17). */
const precedence = [6, 1, 2];

function worstOf(checked: readonly FileCheck[]): number {
  const codes = checked.map(({ exitCode }) => exitCode).filter((code) => code !== 0);
  return precedence.find((code) => codes.includes(code)) ?? codes[0] ?? 0;
}

function describe({ file, exitCode, problems, warnings, note }: FileCheck): string {
  const remarks = warnings.map((warning) => ({
    ...warning,
    message: `warning: ${warning.message}`,
  }));
  const lines = [...problems, ...remarks].map(renderProblem);
  return [...lines, exitCode === 0 ? `${visible(file)}: ${note}` : note].join("\n");
}

/** What was found in one file. `exitCode` is 0 when it may be used. */
type FileCheck = {
  file: string;
  kind: Target["kind"];
  exitCode: number;
  problems: readonly Problem[];
  warnings: readonly Problem[];
  /** One sentence: what it is when it is sound, else what to do. */
  note: string;
};

/** Checks one file of any kind. Bad news is part of the answer, so that all files are looked at. */
async function checkTarget(
  system: CheckInput["system"],
  { root, target }: Pick<CheckInput, "root" | "target">,
): Promise<FileCheck> {
  const about = { file: target.shown, kind: target.kind };
  try {
    const file = machineFile(system, target.path);
    const sound = await checks[target.kind]({ system, root, target, file });
    return { ...about, exitCode: 0, problems: [], ...sound };
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const { exitCode, remedy: note, message } = error;
    const problems = error.problems.length > 0 ? error.problems : [{ file: about.file, message }];
    return { ...about, exitCode, problems, warnings: [], note };
  }
}

const checks: Record<Target["kind"], (place: CheckInput) => Promise<ValidFile>> = {
  config: checkConfigFile,
  tasks: checkTaskFile,
  session: async ({ system, target: { path, shown, part } }) => {
    const warnings = await checkSessionFolder(system.files(path), { shown, part });
    const note = part ? "a sound file of a session" : "a session nobody has tampered with";
    return { note, warnings };
  },
  analysis: checkAnalysisFile,
  "run-record": checkRecordFile,
  prd: checkPrdFile,
  cr: checkRequestFile,
  compound: checkCompoundFile,
  state: checkStateFile,
  unknown: async ({ target: { shown } }) => {
    throw new RalphError("config", {
      message: "is none of the kinds of files that can be checked",
      remedy: `Say what ${shown} is with --config, --tasks or --session; check a journal with \`ralph audit\`.`,
    });
  },
};

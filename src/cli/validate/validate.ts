import type { Command } from "commander";
import { type Problem, RalphError, renderProblem, visible } from "../../error.ts";
import { machineFile } from "../../sources/read-source.ts";
import { type Action, addAction, type CommandHost } from "../core/command.ts";
import { checkConfigFile } from "./check-config-file.ts";
import {
  checkAnalysisFile,
  checkCompoundFile,
  checkOrganizationFile,
  checkPrdFile,
  checkRecordFile,
  checkRequestFile,
  checkTaskFile,
} from "./check-documents.ts";
import { checkAgentsMd, checkProgressLog } from "./check-memory-file.ts";
import { checkSessionFolder } from "./check-session-folder.ts";
import { checkStateFile, createForeignReader } from "./check-state-file.ts";
import type { CheckInput, Target, ValidFile } from "./target.ts";
import { type ValidateOptions, validationTargets } from "./validation-targets.ts";

const help = `
Detects the kind of a file by its name and content: configuration, settings
of an owner (organization.yml), task list (of ralph or another tool, or in
Markdown), session (a folder or one of its files), analysis, run record,
requirements document of an autopilot run, configuration of compound-product,
AGENTS.md, progress log, or state file of another tool (omx, omc,
claude-ralph, agent-teams), with what its files say about each other. Without
a file name it checks all of them.

Exit 1: a configuration is invalid. 6: a session was changed by someone else.
2: another file is invalid, or the task list's branch is the base branch. 14:
there is no base branch. With several problems, 6 wins, then 1, then 2.

Examples:
  ralph validate                           check all files of the project
  ralph validate --tasks plans/next.json   check a task list with any name
  ralph validate --session .ralph-session  check formats, checksums and times
  ralph validate .ralph/autopilot/runs/20260125-143052-a7b3c9.json`;

/** `ralph validate`: prints every problem of every file as `file:line:column: message`. */
export function addValidate(program: Command, host: CommandHost): void {
  const command = program
    .command("validate")
    .summary("check configuration, task list and session files")
    .description(
      "Prints every problem as file:line:column: message. The global option --config also names a configuration to check.",
    )
    .argument("[files...]", "files to check; default: all files of the project")
    .option("--tasks <file>", "task list to check")
    .option("--cr <file>", "change request, or another Markdown file with a task list")
    .option("--session <folder>", "session folder to check")
    .addHelpText("after", help);
  addAction(command, host, validate);
}

const validate: Action<ValidateOptions> = async (context, options) => {
  const { system, output } = context;
  const { root, config, targets } = await validationTargets(context, options);
  const checked: FileCheck[] = [];
  const foreign = createForeignReader(system);
  for (const target of targets)
    checked.push(await checkTarget(system, { root, config, target, foreign }));
  const exitCode = worstOf(checked);
  if (output.wantsJson) output.json({ valid: exitCode === 0, exit_code: exitCode, files: checked });
  for (const check of checked) output[check.exitCode === 0 ? "result" : "problem"](describe(check));
  return exitCode;
};

/** The worst problem decides the exit code (compatibility 1.17). */
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

/** The result for one file. `exitCode` 0 means valid. */
type FileCheck = {
  file: string;
  kind: Target["kind"];
  exitCode: number;
  problems: readonly Problem[];
  warnings: readonly Problem[];
  /** The kind of a valid file, or how to fix an invalid one. */
  note: string;
};

/** Checks one file of any kind. Returns problems instead of throwing, so that all files are checked. */
async function checkTarget(
  system: CheckInput["system"],
  { target, ...project }: Pick<CheckInput, "root" | "config" | "target" | "foreign">,
): Promise<FileCheck> {
  const about = { file: target.shown, kind: target.kind };
  try {
    const file = machineFile(system, target.path);
    const sound = await checks[target.kind]({ system, ...project, target, file });
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
  organization: checkOrganizationFile,
  tasks: checkTaskFile,
  session: async ({ system, target: { path, shown, part } }) => {
    const warnings = await checkSessionFolder(system.files(path), { shown, part });
    const note = part ? "a valid file of a session" : "a valid session without signs of tampering";
    return { note, warnings };
  },
  analysis: checkAnalysisFile,
  "run-record": checkRecordFile,
  prd: checkPrdFile,
  cr: checkRequestFile,
  compound: checkCompoundFile,
  state: checkStateFile,
  "agents-md": checkAgentsMd,
  progress: checkProgressLog,
  unknown: async ({ target: { shown } }) => {
    throw new RalphError("config", {
      message: "is not a kind of file that ralph can check",
      remedy: `Name the kind of ${shown} with --config, --tasks or --session; check a journal with \`ralph audit\`.`,
    });
  },
};

import type { Command } from "commander";
import { locateSessionDir } from "../../entry/locate-session-dir.ts";
import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import { createOutput, type Output, type OutputOptions, type Streams } from "./output.ts";

/** Options every command has. */
type GlobalOptions = OutputOptions & { config?: string; sessionDir?: string };

/** The input of a command: the system, its output, the working directory and a cancel signal. */
export interface CommandContext {
  system: System;
  output: Output;
  directory: string;
  globals: GlobalOptions;
  /** Positional arguments. */
  args: readonly string[];
  signal: AbortSignal;
}

/** The work of a command. Returns the exit code; throws RalphError when the user must act. */
export type Action<Options> = (context: CommandContext, options: Options) => Promise<number>;

/** The absolute path of the session folder of the project in `root`. */
export const sessionDirOf = ({ globals, system }: CommandContext, root: string): string =>
  locateSessionDir({ option: globals.sessionDir, env: system.env }, root);

/** A path as people read it: relative to the project root, if it is below. */
export const shownBelow = (root: string, path: string): string =>
  path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;

/** The whole number of an option; undefined without it. */
export function wholeNumber(
  name: string,
  text: string | undefined,
  { min = 1, max }: { min?: number; max: number },
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new RalphError("config", {
    message: `${name} must be a whole number from ${min} to ${max}, not "${text}".`,
    remedy: `For example: ${name} 7`,
  });
}

/** The process that runs the command; tests pass their own. */
export type CommandHost = {
  /** Asked for when a command runs: help, version and a wrong option need no system, whose modules take long to load. */
  system: () => System | Promise<System>;
  directory: string;
  streams: Streams;
  cancel: () => AbortSignal;
  exit: (code: number) => void;
};

/** Adds a command with its options to the program. */
export type AddCommand = (program: Command, host: CommandHost) => void;

/** Connects a command to its action and reports errors. */
export function addAction<Options>(
  command: Command,
  host: CommandHost,
  action: Action<Options>,
): void {
  command.action(async (...given: unknown[]) => {
    const globals = command.optsWithGlobals<GlobalOptions & Options>();
    const system = await host.system();
    const output = createOutput(globals, system.env, host.streams);
    const context = {
      system,
      output,
      directory: host.directory,
      globals,
      args: argumentsOf(given),
      signal: host.cancel(),
    };
    try {
      host.exit(await action(context, globals));
    } catch (error) {
      host.exit(reportError(error, output));
    }
  });
}

/** commander passes the arguments, then the options and the command; a missing argument is undefined. */
const argumentsOf = (given: readonly unknown[]): string[] =>
  given
    .slice(0, -2)
    .flat()
    .flatMap((argument) => (argument === undefined ? [] : String(argument)));

/** Turns an error into output and an exit code. Only unexpected errors, which are bugs, show a stack trace. */
function reportError(error: unknown, output: Output): number {
  if (!(error instanceof RalphError)) {
    const trace = error instanceof Error ? error.stack : String(error);
    output.problem(`This is a bug in ralph. Please report it with these lines:\n${trace}`);
    if (output.wantsJson) output.json({ status: "failed", error: { message: String(error) } });
    return 70;
  }
  output.problem(`Error: ${error.message}\n${error.remedy}`);
  if (output.wantsJson) output.json(errorJson(error));
  return error.exitCode;
}

const errorJson = (error: RalphError) => ({
  status: "failed",
  stop_reason: error.reason,
  exit_code: error.exitCode,
  error: { message: error.message, remedy: error.remedy, problems: error.problems },
});

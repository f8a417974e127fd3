import type { Command } from "commander";
import { locateSessionDir } from "../../entry/open-views.ts";
import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import { createOutput, type Output, type OutputOptions, type Streams } from "./output.ts";

/** Options every command has. */
type GlobalOptions = OutputOptions & { config?: string; sessionDir?: string };

/** What a command is given: the outside world, its output, where it was started, and a way to be interrupted. */
export interface CommandContext {
  system: System;
  output: Output;
  directory: string;
  globals: GlobalOptions;
  /** What stands on the command line beside options. */
  args: readonly string[];
  signal: AbortSignal;
}

/** A command's work. It answers its exit code; bad news the user must act on is thrown as RalphError. */
export type Action<Options> = (context: CommandContext, options: Options) => Promise<number>;

/** Where this command shows or looks for a session of the project in `root`, absolute. */
export function sessionDirOf({ globals, system }: CommandContext, root: string): string {
  return locateSessionDir({ option: globals.sessionDir, env: system.env }, root);
}

/** What the program meets of its own process; tests bring their own. */
export type CommandHost = {
  system: System;
  directory: string;
  streams: Streams;
  cancel: () => AbortSignal;
  exit: (code: number) => void;
};

/** Gives a command its action: context in, exit code out, errors told in one place. */
export function addAction<Options>(
  command: Command,
  host: CommandHost,
  action: Action<Options>,
): void {
  command.action(async (...given: unknown[]) => {
    const globals = command.optsWithGlobals<GlobalOptions & Options>();
    const output = createOutput(globals, host.system.env, host.streams);
    const context = {
      system: host.system,
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

/** commander hands over the arguments, then the options and the command; what is left out is undefined. */
function argumentsOf(given: readonly unknown[]): string[] {
  return given
    .slice(0, -2)
    .flat()
    .flatMap((argument) => (argument === undefined ? [] : String(argument)));
}

/**
 * The one place where an error becomes words and an exit code. What the user must act on is told in full and
 * without a stack trace: the message names every problem, the list of problems is for programs. Anything else is
 * our bug and keeps its stack.
 */
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

import type { Command } from "commander";
import type { System } from "../../platform/system.ts";
import type { Action, GlobalOptions } from "./command.ts";
import { createOutput, type Streams } from "./output.ts";
import { reportError } from "./report-error.ts";

/** What the program meets of its own process; tests bring their own. */
export type CommandHost = {
  system: System;
  directory: string;
  streams: Streams;
  cancel: () => AbortSignal;
  exit: (code: number) => void;
};

/** Gives a command its action: context in, exit code out, errors told in one place. */
export function act<Options>(
  command: Command,
  outside: CommandHost,
  action: Action<Options>,
): void {
  command.action(async (...given: unknown[]) => {
    const globals = command.optsWithGlobals<GlobalOptions & Options>();
    const output = createOutput(globals, outside.system.env, outside.streams);
    const context = {
      system: outside.system,
      output,
      directory: outside.directory,
      globals,
      args: argumentsOf(given),
      signal: outside.cancel(),
    };
    try {
      outside.exit(await action(context, globals));
    } catch (error) {
      outside.exit(reportError(error, output));
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

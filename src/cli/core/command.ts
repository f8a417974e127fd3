import type { System } from "../../platform/system.ts";
import type { Output, OutputOptions } from "./output.ts";

/** Options every command has. */
export type GlobalOptions = OutputOptions & { config?: string; sessionDir?: string };

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

import type { System } from "../platform/system.ts";
import { logText } from "../views/job/workflow-command.ts";
import type { Inputs } from "./inputs/inputs.ts";

/** The context of every step. */
export interface StepContext {
  system: System;
  inputs: Inputs;
  /** The model keys or the token that action.yml passes by descriptor. */
  handed: string;
  cancel: AbortSignal;
  print: Print;
}

/** Performs a step and returns its exit code. */
export type ActionStep = (context: StepContext) => Promise<number>;

/** Prints a step's output. The runner executes commands, and never a line (T53). */
export interface Print {
  line: (text: string) => void;
  /** Only for lines from `workflowCommand`. */
  command: (line: string) => void;
}

export function printTo(stream: { write: (text: string) => unknown }): Print {
  const command = (line: string) => void stream.write(`${line}\n`);
  return { command, line: (text) => text.split("\n").map(logText).forEach(command) };
}

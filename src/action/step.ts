import type { System } from "../platform/system.ts";
import type { Inputs } from "./inputs/inputs.ts";
import type { Print } from "./print.ts";

/** What every step of the action is given. */
export interface StepContext {
  system: System;
  inputs: Inputs;
  /** What action.yml handed over by descriptor: model keys, or a token. */
  handed: string;
  cancel: AbortSignal;
  print: Print;
}

/** A step's work; it answers its exit code. */
export type ActionStep = (context: StepContext) => Promise<number>;

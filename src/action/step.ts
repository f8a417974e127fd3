import type { System } from "../platform/system.ts";
import type { Inputs } from "./inputs/inputs.ts";
import type { Print } from "./print.ts";

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

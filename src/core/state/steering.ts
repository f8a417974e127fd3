import type { SteeringCommand } from "./steering-command.ts";

/** The combined effect of a session's steering commands. */
export interface Steering {
  /** The last command of each comment, so that none counts twice. */
  heard: readonly SteeringCommand[];
  hints: readonly (SteeringCommand & { verb: "hint" })[];
  /** By task id. */
  skipped: Readonly<Record<string, SteeringCommand>>;
  /** For the whole session; absent: the configured budget. */
  budgetUsd?: number;
  /** Of the failed and blocked tasks only these restart at the next resume; absent: all of them. */
  again?: readonly string[];
}

export const noSteering: Steering = { heard: [], hints: [], skipped: {} };

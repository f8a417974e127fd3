import type { SteeringCommand } from "./steering-command.ts";

/** What the orders of a session add up to. */
export interface Steering {
  /** The last order of each comment, so that none counts twice however often it is handed over. */
  heard: readonly SteeringCommand[];
  hints: readonly (SteeringCommand & { verb: "hint" })[];
  /** By the id of the task. */
  skipped: Readonly<Record<string, SteeringCommand>>;
  /** For the session in all; absent: what the configuration says. */
  budgetUsd?: number;
  /** Of the tasks that gave up only these begin anew with the next part; absent: all of them. */
  again?: readonly string[];
}

export const noSteering: Steering = { heard: [], hints: [], skipped: {} };

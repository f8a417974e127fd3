import * as z from "zod";

/** The comment that gives the command; absent for a command given where the run was started. */
const source = { comment: z.int().min(1).exactOptional(), by: z.string() };

/** A command from an authorized person to a running session. Its text is untrusted data for agents. */
export const SteeringCommand = z.discriminatedUnion("verb", [
  z.object({ verb: z.literal("skip"), task: z.string(), ...source }),
  z.object({ verb: z.literal("hint"), text: z.string(), ...source }),
  /** For the whole session, including earlier spending. */
  z.object({ verb: z.literal("budget"), usd: z.number().min(0), ...source }),
  /** Without a task: all tasks that failed or are blocked. */
  z.object({ verb: z.literal("retry"), task: z.string().exactOptional(), ...source }),
]);
export type SteeringCommand = z.infer<typeof SteeringCommand>;

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

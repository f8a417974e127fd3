import * as z from "zod";

/** The comment an order stands in; absent: it was given where the run was started. */
const said = { comment: z.int().min(1).exactOptional(), by: z.string() };

/** What somebody who may says while a run is under way. Its text is theirs: data for agents, words for people. */
export const SteeringCommand = z.discriminatedUnion("verb", [
  z.object({ verb: z.literal("skip"), task: z.string(), ...said }),
  z.object({ verb: z.literal("hint"), text: z.string(), ...said }),
  /** For the session in all, what was spent before included. */
  z.object({ verb: z.literal("budget"), usd: z.number().min(0), ...said }),
  /** Without a task: all that failed or are blocked. */
  z.object({ verb: z.literal("retry"), task: z.string().exactOptional(), ...said }),
]);
export type SteeringCommand = z.infer<typeof SteeringCommand>;

import * as z from "zod";

/** Roles an agent can be called for (design 3). */
export const roles = ["implementation", "test_writing", "review", "fix", "planning"] as const;
export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

/** The outcome of one agent call. Only `answered` carries a signal; the others are failures of the program. */
export const AgentOutcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("answered") }),
  /** The program failed: non-zero exit, time-out, silence, kill. `class` decides how it counts (design 4). */
  z.object({
    kind: z.literal("failed"),
    class: z.enum(["agent", "infrastructure", "configuration"]),
    message: z.string(),
  }),
  z.object({ kind: z.literal("limited"), message: z.string(), resets_at: z.string().optional() }),
  z.object({ kind: z.literal("cancelled") }),
]);
export type AgentOutcome = z.infer<typeof AgentOutcome>;

/** The claim of the final message. Only `valid` counts. */
export const SignalReading = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("valid"), name: z.string(), body: z.string() }),
  z.object({ kind: z.literal("missing") }),
  z.object({ kind: z.literal("wrong-token"), name: z.string() }),
  z.object({ kind: z.literal("contradiction") }),
]);
export type SignalReading = z.infer<typeof SignalReading>;

import * as z from "zod";
import { EvidenceRef, tree, Usage } from "./measurement.ts";

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

/** The fields of every start of a call. */
export const startOfCall = {
  role: Role,
  driver: z.string(),
  model: z.string().optional(),
  prompt: EvidenceRef,
};

/** The fields of every end of a call. */
export const endOfCall = {
  role: Role,
  outcome: AgentOutcome,
  signal: SignalReading,
  /** The work tree after the call, with forbidden changes put back. */
  tree,
  /** Paths put back because they are protected (design 5), or because the role may not change them. */
  refused: z.array(z.string()),
  usage: Usage,
  /** The agent program's own name for the conversation. */
  session_id: z.string().optional(),
  /** Tools the agent asked for and was denied. */
  denied: z.array(z.string()).optional(),
  ms: z.number(),
  output: EvidenceRef,
};

import * as z from "zod";
import type { StopReason } from "../../src/error.ts";

const Artifact = z.object({
  id: z.int(),
  name: z.string(),
  attempt: z.int(),
  bytes: z.number(),
  digest: z.string().exactOptional(),
});

/** The child's input, as JSON on its stdin, the only place with the token. */
export const ChildRequest = z.strictObject({
  /** The only folder the child writes to; its parent removes it afterwards. */
  folder: z.string(),
  apiUrl: z.string(),
  serverUrl: z.string(),
  repository: z.string(),
  token: z.string(),
  workflow: z.strictObject({
    run: z.int(),
    url: z.string(),
    /** Such as `ralph.yml`. */
    file: z.string(),
    succeeded: z.boolean(),
  }),
  session: Artifact,
  /** The clean room's artifact; older clean rooms have none. */
  proof: Artifact.exactOptional(),
  /** Whether this attempt's clean room succeeded, according to GitHub, never to the bundle. */
  isProved: z.boolean(),
});
export type ChildRequest = z.output<typeof ChildRequest>;

const Figures = z.object({ passed: z.int(), total: z.int(), cost_usd: z.number().optional() });

const ChildContinuation = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("again") }),
  z.object({ kind: z.literal("wait"), until: z.number() }),
  z.object({ kind: z.literal("stop"), why: z.string() }),
]);

/** The child's result, the last line of its stdout. */
export const ChildResult = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("published"),
    /** One sentence for people. */
    message: z.string().max(2000),
    pull: z.object({ number: z.int(), url: z.string() }).optional(),
    figures: Figures.optional(),
    /** Why the session stopped, a stop reason. */
    stop: z.string().max(40).optional(),
    /** Nothing in it was worth a pull request. */
    isLowValue: z.boolean().optional(),
    /** For a session that ran out of time. */
    continuation: ChildContinuation.optional(),
  }),
  z.object({
    kind: z.literal("refused"),
    reason: z.string().transform((reason) => reason as StopReason),
    message: z.string().max(8000),
    /** A retry may succeed. */
    isTemporary: z.boolean(),
    /** The token has expired or was revoked. */
    isUnauthorized: z.boolean(),
  }),
]);
export type ChildResult = z.output<typeof ChildResult>;
export type ChildContinuation = z.output<typeof ChildContinuation>;

/** The child's result; undefined if it did not finish. */
export function readChildResult(stdout: string): ChildResult | undefined {
  const line = stdout.trimEnd().split("\n").at(-1) ?? "";
  try {
    return ChildResult.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

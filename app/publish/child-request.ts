import * as z from "zod";
import type { StopReason } from "../../src/error.ts";

const Artifact = z.object({
  id: z.int(),
  name: z.string(),
  attempt: z.int(),
  bytes: z.number(),
  digest: z.string().exactOptional(),
});

/** What the child is told, as JSON on its stdin: the token stands nowhere else. */
export const ChildRequest = z.strictObject({
  /** The only place it writes to; whoever starts it takes it away afterwards. */
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
  /** What the clean room has left; absent: an older one that leaves nothing. */
  proof: Artifact.exactOptional(),
  /** Whether the clean room of this attempt was green; GitHub says so, never the bundle. */
  isProved: z.boolean(),
});
export type ChildRequest = z.output<typeof ChildRequest>;

const Figures = z.object({ passed: z.int(), total: z.int(), cost_usd: z.number().optional() });

const ChildContinuation = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("again") }),
  z.object({ kind: z.literal("wait"), until: z.number() }),
  z.object({ kind: z.literal("stop"), why: z.string() }),
]);

/** What became of it: the last line of the child's stdout. */
export const ChildResult = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("published"),
    /** One sentence for people. */
    words: z.string().max(2000),
    pull: z.object({ number: z.int(), url: z.string() }).optional(),
    figures: Figures.optional(),
    /** Of a session whose time was up. */
    continuation: ChildContinuation.optional(),
  }),
  z.object({
    kind: z.literal("refused"),
    reason: z.string().transform((reason) => reason as StopReason),
    words: z.string().max(8000),
    /** Another attempt may succeed. */
    isPassing: z.boolean(),
    /** The token is not taken any more. */
    isUnauthorized: z.boolean(),
  }),
]);
export type ChildResult = z.output<typeof ChildResult>;
export type ChildContinuation = z.output<typeof ChildContinuation>;

/** The child's last line; undefined: it did not come to its end. */
export function readChildResult(stdout: string): ChildResult | undefined {
  const line = stdout.trimEnd().split("\n").at(-1) ?? "";
  try {
    return ChildResult.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

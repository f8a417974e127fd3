import * as z from "zod";
import type { StopReason } from "../../src/error.ts";

/** An artifact of a workflow run to publish. */
export const PushArtifact = z.object({
  id: z.int(),
  name: z.string(),
  attempt: z.int(),
  bytes: z.number(),
  digest: z.string().exactOptional(),
});

const Figures = z.object({ passed: z.int(), total: z.int(), cost_usd: z.number().optional() });

/** A task of a session, for the run's page. */
export const ReportedTask = z.object({
  id: z.string().max(40),
  title: z.string().max(200),
  state: z.string().max(40),
  /** Its proof, or why it did not pass. */
  proof: z.string().max(600),
});

const ChildContinuation = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("again") }),
  z.object({ kind: z.literal("wait"), until: z.number() }),
  z.object({ kind: z.literal("stop"), why: z.string() }),
]);

/** A task that has not passed. */
export const LeftTask = ReportedTask.omit({ proof: true });

const Published = z.object({
  kind: z.literal("published"),
  /** One sentence for people. */
  message: z.string().max(2000),
  pull: z.object({ number: z.int(), url: z.string() }).optional(),
  branch: z.string().max(255).optional(),
  /** The first tasks that have not passed. */
  left: z.array(LeftTask).max(5).optional(),
  figures: Figures.optional(),
  /** Why the session stopped, a stop reason. */
  stop: z.string().max(40).optional(),
  /** Nothing in it was worth a pull request. */
  isLowValue: z.boolean().optional(),
  /** For a session that ran out of time. */
  continuation: ChildContinuation.optional(),
});

/** The child's result, the last line of its stdout. */
export const ChildResult = z.discriminatedUnion("kind", [
  Published.extend({ tasks: z.array(ReportedTask).max(1000).optional() }),
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

/** The outcome of a publication. `unclaimed`: someone else has the item, so nothing was pushed. */
export const PushEnd = z.discriminatedUnion("kind", [
  Published,
  z.object({ kind: z.literal("failed"), message: z.string() }),
  z.object({ kind: z.literal("unclaimed") }),
]);
export type PushEnd = z.output<typeof PushEnd>;

/** The artifacts of a finished workflow run and the facts about it, for the child that publishes them. */
export const Push = z.object({
  session: PushArtifact,
  /** The clean room's artifact; older clean rooms have none. */
  proof: PushArtifact.optional(),
  isProved: z.boolean(),
  succeeded: z.boolean(),
  url: z.string(),
  /** When the item was claimed, milliseconds since 1970. */
  claimed_at: z.number(),
});
export type Push = z.output<typeof Push>;

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
  session: PushArtifact,
  /** The clean room's artifact; older clean rooms have none. */
  proof: PushArtifact.exactOptional(),
  /** Whether this attempt's clean room succeeded, according to GitHub, never to the bundle. */
  isProved: z.boolean(),
});
export type ChildRequest = z.output<typeof ChildRequest>;

/** The session's HTML report, which the child leaves in its folder. */
export const reportFile = "report.html";

/** The child's result; undefined if it did not finish. */
export function readChildResult(stdout: string): ChildResult | undefined {
  const line = stdout.trimEnd().split("\n").at(-1) ?? "";
  try {
    return ChildResult.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

import * as z from "zod";
import { ChildResult, PushArtifact } from "../jobs/publication.ts";

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

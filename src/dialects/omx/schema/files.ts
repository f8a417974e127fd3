import * as z from "zod";
import { OmxTimestamp } from "./state.ts";

/** Part of a path, so it cannot lead elsewhere (compatibility 2). */
export const OmxSessionId = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 of A-Z, a-z, 0-9, "_" and "-"');

/** `.omx/state/session.json`: the current session. Its process id and start show whether it is alive. */
export const OmxSession = z
  .looseObject({
    session_id: OmxSessionId.describe("The current session"),
    started_at: OmxTimestamp.optional().describe("When it started"),
    cwd: z.string().optional().describe("The folder it works in"),
    pid: z.int().min(1).optional().describe("Its process"),
    platform: z.string().optional().describe("Operating system, by Node's name"),
    pid_start_ticks: z.int().min(0).optional().describe("Start of the process, in clock ticks"),
    pid_cmdline: z.string().optional().describe("How the process was started"),
  })
  .meta({ title: "OMX session", description: "The current session, .omx/state/session.json" });
export type OmxSession = z.infer<typeof OmxSession>;

const Entry = z.looseObject({
  index: z.int().min(0).optional().describe("Its place, from 0"),
  text: z.string().optional().describe("The completed work"),
});

/** `ralph-progress.json`: the completed work, in order. */
export const OmxLedger = z
  .looseObject({
    schema_version: z.int().min(1).describe("Version of the format, now 2"),
    source: z.string().optional().describe("The older file it was made from"),
    source_sha256: z.string().optional().describe("Digest of that file"),
    strategy: z.string().optional().describe("How it was converted"),
    created_at: OmxTimestamp.optional().describe("When it was made"),
    updated_at: OmxTimestamp.optional().describe("When it was last changed"),
    entries: z.array(Entry).describe("The completed work, oldest first"),
    visual_feedback: z
      .array(z.looseObject({}))
      .optional()
      .describe("Verdicts on the look of a page"),
  })
  .meta({ title: "OMX ledger", description: "Progress of a run, ralph-progress.json" });
export type OmxLedger = z.infer<typeof OmxLedger>;

const Migration = z.looseObject({
  source: z.string().describe("The older file"),
  source_sha256: z.string().describe("Its digest"),
  canonical_path: z.string().describe("The file that replaces it"),
  strategy: z.string().optional().describe("How it was made"),
});

/** `.omx/plans/ralph-migration-marker.json`: the older files that were converted to the current format. */
export const OmxMarker = z
  .looseObject({
    compatibility_window: z.string().optional().describe("How long the older files stay"),
    prd_migration: Migration.optional().describe("The requirements"),
    progress_migration: Migration.optional().describe("The progress"),
  })
  .meta({ title: "OMX migrations", description: "Older files in the current format" });
export type OmxMarker = z.infer<typeof OmxMarker>;

/** The input of an agent program's notify hook: one event as JSON. */
export const OmxTurn = z.looseObject({
  type: z.string().optional(),
  cwd: z.string().optional(),
});
export type OmxTurn = z.infer<typeof OmxTurn>;

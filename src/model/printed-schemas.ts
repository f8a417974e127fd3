import * as z from "zod";
import { Analysis } from "./analysis.ts";
import { Config } from "./config.ts";
import { TeamFailures } from "./dialects/agent-teams-failures.ts";
import { TeamMetrics } from "./dialects/agent-teams-metrics.ts";
import {
  ClaudeRalphAgent,
  ClaudeRalphProgress,
  ClaudeRalphQueue,
  ClaudeRalphRetries,
} from "./dialects/claude-ralph.ts";
import { ralphState, ultraworkState, verificationState } from "./dialects/omc.ts";
import { OmxLedger, OmxMarker, OmxSession } from "./dialects/omx-files.ts";
import { OmxState } from "./dialects/omx-state.ts";
import { Prd } from "./prd.ts";
import { PrdFrontMatter } from "./prd-front-matter.ts";
import { RunRecord } from "./run-record.ts";
import { Session } from "./session.ts";
import { TaskStatus } from "./task-status.ts";
import { TimelineEvent } from "./timeline-event.ts";

/** Formats whose JSON schema stands in `schemas/<name>.schema.json`. Add one here, then `npm run schemas`. */
const printed = {
  analysis: Analysis,
  config: Config,
  prd: Prd,
  "prd-front-matter": PrdFrontMatter,
  "run-record": RunRecord,
  session: Session,
  "task-status": TaskStatus,
  "timeline-event": TimelineEvent,
};

/** Files of other tools that we write as well (`compat.emit`, `ralph-action/omc`), in the same folder. */
const dialects = {
  "agent-teams-failures": TeamFailures,
  "agent-teams-metrics": TeamMetrics,
  "claude-ralph-agent": ClaudeRalphAgent,
  "claude-ralph-progress": ClaudeRalphProgress,
  "claude-ralph-queue": ClaudeRalphQueue,
  "claude-ralph-retries": ClaudeRalphRetries,
  "omc-ralph-state": ralphState,
  "omc-ultrawork-state": ultraworkState,
  "omc-verification": verificationState,
  "omx-ledger": OmxLedger,
  "omx-migrations": OmxMarker,
  "omx-session": OmxSession,
  "omx-state": OmxState,
};

/** File name and text of every printed schema. */
export function renderSchemas(): Map<string, string> {
  return new Map(
    Object.entries({ ...printed, ...dialects }).map(([name, schema]) => [
      `${name}.schema.json`,
      renderSchema(schema),
    ]),
  );
}

/** Draft-07, of the form people write: keys with a default are optional. */
function renderSchema(schema: z.ZodType): string {
  return `${JSON.stringify(z.toJSONSchema(schema, { target: "draft-7", io: "input" }), null, 2)}\n`;
}

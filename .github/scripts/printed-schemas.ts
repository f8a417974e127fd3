import * as z from "zod";
import { TeamFailures } from "../../src/dialects/agent-teams/schema/failures.ts";
import { TeamMetrics } from "../../src/dialects/agent-teams/schema/metrics.ts";
import {
  ClaudeRalphAgent,
  ClaudeRalphProgress,
  ClaudeRalphQueue,
  ClaudeRalphRetries,
} from "../../src/dialects/claude-ralph/schema/index.ts";
import {
  ralphState,
  ultraworkState,
  verificationState,
} from "../../src/dialects/omc/schema/index.ts";
import { OmxLedger, OmxMarker, OmxSession } from "../../src/dialects/omx/schema/files.ts";
import { OmxState } from "../../src/dialects/omx/schema/state.ts";
import { Analysis } from "../../src/schema/autopilot/analysis.ts";
import { PrdFrontMatter } from "../../src/schema/autopilot/prd-document.ts";
import { Config } from "../../src/schema/config/config.ts";
import { Organization } from "../../src/schema/config/organization.ts";
import { RunRecordFile } from "../../src/schema/session-files/run-record.ts";
import { SessionFile } from "../../src/schema/session-files/session.ts";
import { TaskStatusFile } from "../../src/schema/session-files/task-status.ts";
import { TimelineEvent } from "../../src/schema/session-files/timeline-event.ts";
import { Evaluation } from "../../src/schema/tasks/evaluation.ts";
import { Prd } from "../../src/schema/tasks/prd.ts";

/** Formats with a JSON schema in `schemas/<name>.schema.json`. Add one here, then `npm run schemas`. */
const printed = {
  analysis: Analysis,
  config: Config,
  evaluation: Evaluation,
  organization: Organization,
  prd: Prd,
  "prd-front-matter": PrdFrontMatter,
  "run-record": RunRecordFile,
  session: SessionFile,
  "task-status": TaskStatusFile,
  "timeline-event": TimelineEvent,
};

/** Files of other tools that we write as well (`compat.emit`, `@org/ralph-action/omc`), in the same folder. */
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
export const renderSchemas = (): Map<string, string> =>
  new Map(
    Object.entries({ ...printed, ...dialects }).map(([name, schema]) => [
      `${name}.schema.json`,
      renderSchema(schema),
    ]),
  );

/** Draft-07, of the form people write: keys with a default are optional. */
const renderSchema = (schema: z.ZodType): string =>
  `${JSON.stringify(z.toJSONSchema(schema, { target: "draft-7", io: "input" }), null, 2)}\n`;

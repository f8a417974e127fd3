import * as z from "zod";
import { Analysis } from "./analysis.ts";
import { Config } from "./config.ts";
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

/** File name and text of every printed schema. */
export function renderSchemas(): Map<string, string> {
  return new Map(
    Object.entries(printed).map(([name, schema]) => [`${name}.schema.json`, renderSchema(schema)]),
  );
}

/** Draft-07, of the form people write: keys with a default are optional. */
function renderSchema(schema: z.ZodType): string {
  return `${JSON.stringify(z.toJSONSchema(schema, { target: "draft-7", io: "input" }), null, 2)}\n`;
}

import { createAgentsMd } from "./documents/agents-md.ts";
import { guardrailsMd } from "./documents/guardrails-md.ts";
import { prdJson } from "./documents/prd-json.ts";
import { createProgressTxt } from "./documents/progress-txt.ts";
import { logs } from "./session-files/logs.ts";
import { runRecord } from "./session-files/run-record.ts";
import { sessionJson } from "./session-files/session-json.ts";
import { taskStatusJson, taskStatusSha256 } from "./session-files/task-status.ts";
import { timeline } from "./session-files/timeline.ts";
import type { LearningsMode } from "./summary/completion-report.ts";
import type { SpliceView, View } from "./view.ts";

/** The settings for views: `autopilot.memory.progress` and `memory.learnings`. */
export type ViewSettings = { progress: string; learnings: LearningsMode };

/** Every view of a session. To add one, add a file beside the others and a line here. */
export function createViews(settings: ViewSettings): View[] {
  return [
    sessionJson,
    taskStatusJson,
    taskStatusSha256,
    runRecord,
    timeline,
    logs,
    ...createDocuments(settings),
  ];
}

/** The views that live in the repository and are committed with each pass (design 4.6). */
export function createDocuments({ progress, learnings }: ViewSettings): SpliceView[] {
  return [prdJson, createProgressTxt(progress), createAgentsMd(learnings), guardrailsMd];
}

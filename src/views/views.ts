import { agentsMd } from "./documents/agents-md.ts";
import { guardrailsMd } from "./documents/guardrails-md.ts";
import { prdJson } from "./documents/prd-json.ts";
import { createProgressTxt } from "./documents/progress-txt.ts";
import { logs } from "./session-files/logs.ts";
import { runRecord } from "./session-files/run-record.ts";
import { sessionJson } from "./session-files/session-json.ts";
import { taskStatusJson, taskStatusSha256 } from "./session-files/task-status.ts";
import { timeline } from "./session-files/timeline.ts";
import type { SpliceView, View } from "./view.ts";

/** Where the configuration puts what is not in a fixed place (`autopilot.memory.progress`). */
export type ViewPaths = { progress: string };

/** Every surface of a session. A new one is a file beside its like, and a line here. */
export function createViews(paths: ViewPaths): View[] {
  return [
    sessionJson,
    taskStatusJson,
    taskStatusSha256,
    runRecord,
    timeline,
    logs,
    ...createDocuments(paths),
  ];
}

/** The surfaces that live in the repository and are committed with each pass (design 4.6). */
export function createDocuments({ progress }: ViewPaths): SpliceView[] {
  return [prdJson, createProgressTxt(progress), agentsMd, guardrailsMd];
}

import { errorAt, type Finding } from "../../schema/base/finding.ts";
import { checkGuardrails } from "../../schema/session-files/guardrails.ts";
import type { Dialect } from "../dialect.ts";
import { parseText } from "../json-text.ts";
import { blockersMd, blockersPath } from "./blockers-md.ts";
import { readTeamConfig } from "./schema/config.ts";
import { checkFailures } from "./schema/failures.ts";
import { checkMetrics } from "./schema/metrics.ts";
import { checkTask } from "./schema/task.ts";
import { failuresJson, failuresPath, metricsJson, metricsPath } from "./team-counters.ts";
import { completionLine } from "./team-run.ts";
import { abortPath, cancelTeam, readTeam } from "./team-state.ts";
import { teamReferences, teamTaskDocuments, teamTaskPaths } from "./team-task-files.ts";
import { isTaskFile, teamTasks } from "./team-tasks.ts";

const files = new Set([
  failuresPath,
  metricsPath,
  blockersPath,
  abortPath,
  ".ralph/agents.md",
  ".ralph/config.sh",
  ".ralph/guardrails.md",
]);
const documents =
  /^(?:\.ralph\/)?specs\/.*(?:\.code-task|\/plan|\/discovery|\/detailed-design)\.md$/;

/**
 * The state files of Agent Teams (specs 003). Signs and the status of tasks are no part of it: they are committed with each
 * pass, so they are documents (`guardrails-md.ts`, `team-task-files.ts`).
 */
export const agentTeams: Dialect = {
  name: "agent-teams",
  owns: (path) => files.has(path) || documents.test(path),
  folders: [".ralph", "specs"],
  render: (state) => [failuresJson(state), metricsJson(state), ...blockersMd(state)],
  check: (path, text) => {
    if (path === failuresPath) return checkJson(text, checkFailures);
    if (path === metricsPath) return checkJson(text, checkMetrics);
    if (path === ".ralph/guardrails.md") return checkGuardrails(text);
    if (path === ".ralph/config.sh") return readTeamConfig(text).findings;
    return isTaskFile(path) ? checkTask(text) : [];
  },
  read: readTeam,
  cancel: cancelTeam,
  tasks: teamTasks,
  documents: { paths: teamTaskPaths, render: teamTaskDocuments },
  references: teamReferences,
  abortFile: abortPath,
  completionLine,
};

/** An empty file is one that somebody has just made. */
function checkJson(text: string, check: (value: unknown) => readonly Finding[]) {
  if (text.trim() === "") return [];
  const value = parseText(text);
  return value === undefined ? [errorAt([], "is no JSON")] : check(value);
}

import type { Finding } from "../../schema/base/finding.ts";
import { checkGuardrails } from "../../schema/session-files/guardrails.ts";
import type { Dialect } from "../dialect.ts";
import { checkJson } from "../json-text.ts";
import { blockersMd, blockersPath } from "./blockers-md.ts";
import { readTeamConfig } from "./schema/config.ts";
import { checkFailures } from "./schema/failures.ts";
import { checkMetrics } from "./schema/metrics.ts";
import { checkTask } from "./schema/task.ts";
import { failuresJson, failuresPath, metricsJson, metricsPath } from "./team-counters.ts";
import { completionLine } from "./team-run.ts";
import { abortPath, cancelTeam, readTeam } from "./team-state.ts";
import {
  liveTeamStatus,
  liveTeamTasks,
  teamReferences,
  teamTaskDocuments,
  teamTaskPaths,
} from "./team-task-files.ts";
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

/** The state files of Agent Teams (specs 003). Guardrails and the status of tasks are documents of each pass. */
export const agentTeams: Dialect = {
  name: "agent-teams",
  owns: (path) => files.has(path) || documents.test(path),
  folders: [".ralph", "specs"],
  render: (state) => [failuresJson(state), metricsJson(state), ...blockersMd(state)],
  check: (path, text) => {
    if (path === failuresPath) return checkCounters(text, checkFailures);
    if (path === metricsPath) return checkCounters(text, (value) => checkMetrics(value).findings);
    if (path === ".ralph/guardrails.md") return checkGuardrails(text);
    if (path === ".ralph/config.sh") return readTeamConfig(text).findings;
    return isTaskFile(path) ? checkTask(text) : [];
  },
  read: readTeam,
  cancel: cancelTeam,
  tasks: teamTasks,
  documents: {
    paths: teamTaskPaths,
    render: teamTaskDocuments,
    live: liveTeamTasks,
    owns: isTaskFile,
    isLive: liveTeamStatus,
  },
  references: teamReferences,
  abortFile: abortPath,
  completionLine,
};

/** An empty file is valid: a program may have just created it. */
const checkCounters = (text: string, check: (value: unknown) => readonly Finding[]) =>
  text.trim() === "" ? [] : checkJson(text, check);

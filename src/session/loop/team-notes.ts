import { basename, dirname, join } from "node:path/posix";
import type { ReferenceDocument } from "../../agents/prompts/prompt-context.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import type { ReadFiles } from "../../platform/system.ts";

/** Prompts show less of each; what is larger is no document for people. */
const maxBytes = 64 * 1024;

/**
 * What Agent Teams have written for whoever works on a task: their guide, and for a list that was made from their task
 * files the goal's documents and the task's own file (specs 003). Only read; a file that cannot be is left out.
 */
export async function readTeamNotes(
  files: Pick<ReadFiles, "read">,
  state: Pick<SessionState, "session">,
  { task }: Pick<TaskState, "task">,
): Promise<ReferenceDocument[]> {
  const paths = [".ralph/agents.md", ...listPaths(state.session.list_origin, task.id)];
  const texts = await Promise.all(paths.map((path) => readText(files, path)));
  return paths.flatMap((label, index) => {
    const text = texts[index] ?? "";
    return text.trim() === "" ? [] : [{ label, text }];
  });
}

function listPaths(origin: SessionState["session"]["list_origin"], task: string): string[] {
  const file = origin?.ids[task];
  if (!origin || !file?.endsWith(".code-task.md")) return [];
  const goal = basename(origin.path) === "implementation" ? dirname(origin.path) : origin.path;
  return [
    join(goal, "discovery.md"),
    join(goal, "design/detailed-design.md"),
    join(origin.path, file),
  ].filter((path) => !path.startsWith("../") && !path.startsWith("/"));
}

async function readText(files: Pick<ReadFiles, "read">, path: string): Promise<string | undefined> {
  try {
    return (await files.read(path, { maxBytes }))?.toString("utf8");
  } catch {
    return undefined;
  }
}

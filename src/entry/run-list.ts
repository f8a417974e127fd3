import type { Planning } from "../core/state/event.ts";
import type { System } from "../platform/system.ts";
import { type Listener, type RunOutcome, type RunRequest, runProject } from "./run-project.ts";

/** How a task list that was just written is to be worked through, whatever else was asked for. */
export interface ListRequest {
  act: "start" | "resume";
  taskPath: string;
  sandbox: "required" | undefined;
  planning: Planning | undefined;
}

export type EndedRun = RunOutcome & { kind: "ended" };

/** The loop over the list of an autopilot run, on the branch that is checked out. The same for every door. */
export async function runList(
  system: System,
  { request, wish }: { request: RunRequest; wish: ListRequest },
  listener: Listener,
): Promise<EndedRun> {
  const { act, taskPath, planning } = wish;
  const sandbox = wish.sandbox ?? request.options.sandbox;
  const resume = act === "resume" ? (true as const) : undefined;
  const options = { ...request.options, prdJson: taskPath, sandbox, resume, dryRun: false };
  const outcome = await runProject(system, { ...request, options, planning }, listener);
  if (outcome.kind === "ended") return outcome;
  throw new Error("A session that was asked for has only been planned.");
}

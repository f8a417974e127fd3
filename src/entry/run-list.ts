import type { ListRequest } from "../core/state/event.ts";
import type { System } from "../platform/system.ts";
import { type Listener, type RunOutcome, type RunRequest, runProject } from "./run-project.ts";

export type EndedRun = RunOutcome & { kind: "ended" };

/** Runs the loop over the list of an autopilot run, on the checked-out branch. The same for every entry point. */
export async function runList(
  system: System,
  { request, list }: { request: RunRequest; list: ListRequest },
  listener: Listener,
): Promise<EndedRun> {
  const { act, taskPath, planning } = list;
  const untrusted = list.untrusted ? (true as const) : undefined;
  const resume = act === "resume" ? (true as const) : undefined;
  const options = { ...request.options, prdJson: taskPath, untrusted, resume, dryRun: false };
  const outcome = await runProject(system, { ...request, options, planning }, listener);
  if (outcome.kind === "ended") return outcome;
  throw new Error("A session was planned and not run.");
}

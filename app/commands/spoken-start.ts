import type { Wanted } from "../rules/wanted.ts";
import { isOpen, type RunNote } from "../runs/dispatched-run.ts";
import { workOf } from "../runs/new-run.ts";
import { sessionLeft } from "../runs/resumable-session.ts";
import type { RunParts, Start } from "../runs/run-parts.ts";

type Steer = Extract<Wanted, { kind: "steer" }>;
type Common = Pick<Start, "asker" | "trigger" | "text">;

/** What a comment starts; undefined: a command that starts nothing, or a pull request that is not one of ours. */
export async function startFor(
  parts: RunParts,
  steer: Steer,
  run: RunNote | undefined,
): Promise<Start | undefined> {
  const { command, issue, isPull, text, asker } = steer;
  const common = { asker, trigger: "start-command", ...(text && { text }) } as const;
  switch (command.verb) {
    case "autopilot": {
      const among = !isPull && ({ among: true } as const);
      return { ...common, command: "autopilot", item: "reports", issue, ...among };
    }
    case "retry":
      if (run) return retryOf(parts, { common, task: command.task, run });
      return command.task === undefined ? workAnew(common, steer, run) : undefined;
    case "run":
      return workAnew(common, steer, run);
    default:
      return undefined;
  }
}

/** In a pull request the work is that of the issue it came from. */
function workAnew(
  common: Common,
  { issue, isPull }: Steer,
  run: RunNote | undefined,
): Start | undefined {
  if (isPull && !run) return undefined;
  const number = isPull ? run && issueOf(run) : issue;
  if (number === undefined) return { ...common, command: "autopilot", item: "reports" };
  return { ...common, command: "run", item: `issue-${number}`, issue: number };
}

/** An autopilot that does not choose it was asked for in a pull request, which is no issue. */
const issueOf = ({ command, among, issue }: RunNote) =>
  command === "run" || among ? issue : undefined;

type Retry = {
  common: Common;
  task: string | undefined;
  run: RunNote;
};

/** The session of the run before goes on; without one all of it begins anew, but for a single task of it. */
async function retryOf(parts: RunParts, { common, task, run }: Retry): Promise<Start | undefined> {
  if (isOpen(run) || (task === undefined && isComplete(run))) return undefined;
  const goesOn = await sessionLeft(parts, run, task);
  if (goesOn) return { ...common, ...workOf(run), goesOn };
  return task === undefined ? { ...common, ...workOf(run) } : undefined;
}

/** Whether all of it has passed, and people have got it: nothing of it is left to be tried again. */
export function isComplete({ outcome, pull, tasks }: RunNote): boolean {
  const isWanted = outcome === undefined || outcome === "merged";
  return isWanted && pull !== undefined && tasks !== undefined && tasks.passed >= tasks.total;
}

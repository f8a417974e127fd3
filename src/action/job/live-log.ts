import type { RunEvent } from "../../core/state/event.ts";
import type { Listener } from "../../entry/run-project.ts";
import type { SessionContext } from "../../session/loop/session-context.ts";
import { createActionLog, quoteOutput } from "../../views/job/action-log.ts";
import { warnWithoutSandbox } from "../checks/checks.ts";
import type { StepContext } from "../step.ts";
import { announce } from "./report-session-end.ts";

const plain = (text: string) => text;
const style = { good: plain, bad: plain, wait: plain, plain, faint: plain };

/** `close` waits for pending output and ends the open group. */
export type LiveLog = Pick<Listener, "live" | "started" | "cancel"> & {
  close: () => Promise<void>;
};

/**
 * Shows a session in the job's log: one line per event in a group per task, and a progress line for each minute an agent
 * runs. With `verbose` it quotes the output of agents, which every reader of the log then sees (T23).
 */
export function createLiveLog(context: StepContext): LiveLog {
  const { inputs, print, system, cancel } = context;
  const log = createActionLog({ level: inputs.verbose ? "verbose" : "normal", style });
  let session: SessionContext | undefined;
  let printed = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const later = (work: () => void | Promise<void>) => {
    printed = printed.then(work);
  };
  const quote = async (event: RunEvent) => {
    if (!inputs.verbose || !session) return;
    if (event.type !== "agent_end" && event.type !== "fix_call_end") return;
    const output = session.redact(await session.evidence.read(event.output));
    for (const line of quoteOutput(output, system.randomHex(16))) print.command(line);
  };
  const event: LiveLog["live"]["event"] = (event, state) => {
    const lines = log.take(event, state);
    later(() => lines.forEach(print.command));
    later(() => quote(event));
    clearInterval(timer);
    if (event.type !== "agent_start" && event.type !== "fix_call_start") return;
    const what = "task" in event ? event.task : "repair";
    let minutes = 0;
    timer = setInterval(() => {
      minutes += 1;
      print.line(`… ${what} ${event.role} has been running for ${minutes} min`);
    }, 60_000).unref();
  };
  return {
    live: { event },
    cancel,
    started: (opened) => {
      session = opened;
      announce(opened, print);
      warnWithoutSandbox(opened, context);
    },
    close: async () => {
      clearInterval(timer);
      await printed;
      log.close().forEach(print.command);
    },
  };
}

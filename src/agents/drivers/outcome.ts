import type { AgentOutcome } from "../../core/state/roles.ts";
import type { SupervisedResult } from "../../platform/system.ts";

type FailureClass = Extract<AgentOutcome, { kind: "failed" }>["class"];

/** Longest part of the program's last line that is shown (characters). */
const maxShown = 300;

/**
 * The outcome by the end of the process alone. `agent`: it ran and failed, or never finished. `infrastructure`: something
 * other than ralph killed it. `configuration`: it cannot be started (F29, compatibility 1.8).
 */
export function outcomeOfEnd({ end, stderr, stdout, ms }: SupervisedResult): AgentOutcome {
  switch (end.kind) {
    case "cancelled":
      return { kind: "cancelled" };
    case "not-started":
      return failed("configuration", `the program could not be started: ${end.message}`);
    case "killed":
      return failed("infrastructure", `it was killed by ${end.signal}`);
    case "timed-out":
      return failed("agent", `it ran out of time and was ended after ${seconds(ms)}`);
    case "idle":
      return failed("agent", `it was silent for too long and was ended after ${seconds(ms)}`);
    case "over-limit":
      return failed("agent", `it ${end.message} and was ended (\`sandbox.limits\`)`);
    case "exited":
      return outcomeOfExit(end.code, lastTextLine(stderr) || lastTextLine(stdout));
  }
}

/** In the unit of the configuration's time limits. */
const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;

function outcomeOfExit(code: number, words: string): AgentOutcome {
  if (code === 0) return { kind: "answered" };
  const said = words === "" ? "" : `: ${words}`;
  if (code === 126 || code === 127 || isMissingInSandbox(words)) {
    return failed("configuration", `the program could not be started (exit ${code})${said}`);
  }
  // A shell or the sandbox reports a killed child as 128 + the signal's number.
  if (code > 128 && code <= 128 + 64) {
    return failed("infrastructure", `it was killed by signal ${code - 128}${said}`);
  }
  return failed("agent", `it ended with exit code ${code}${said}`);
}

const isMissingInSandbox = (words: string) => words.startsWith("bwrap: execvp ");

export const failed = (failureClass: FailureClass, message: string): AgentOutcome => ({
  kind: "failed",
  class: failureClass,
  message,
});

/** The last line with text: limited, printable, without its full stop. */
export function lastTextLine(text: string): string {
  const end = text.slice(-4 * maxShown).trimEnd();
  const line = end.slice(end.lastIndexOf("\n") + 1);
  // A cut line of JSON does not help a person.
  if (line.startsWith("{")) return "";
  return line
    .replace(/\p{Cc}/gu, "")
    .slice(-maxShown)
    .replace(/\.+$/, "")
    .toWellFormed();
}

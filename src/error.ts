/** Every way a session can end, with the exit code a script sees (design 7). One table, printed in the README. */
export const stopReasons = {
  all_done: 0,
  nothing_to_do: 0,
  config: 1,
  source: 2,
  task_failed: 3,
  blocked: 3,
  gate_fatal: 4,
  post_verify: 5,
  tampering: 6,
  cancelled: 7,
  agent_error: 8,
  service: 9,
  no_report: 10,
  analysis: 11,
  prd: 12,
  tasks: 13,
  git: 14,
  pr: 15,
  breaker: 20,
  budget: 21,
  max_runtime: 22,
  checkpoint: 23,
  claim: 24,
  firewall: 25,
} as const;

export type StopReason = keyof typeof stopReasons;

/** The meaning of each stop reason, for people. */
export const stopMeanings: Record<StopReason, string> = {
  all_done: "every selected task passed",
  nothing_to_do: "every selected task had passed already",
  config: "the configuration or an option must be corrected, or a program is missing",
  source: "the task list must be corrected",
  task_failed: "a task did not pass within its iterations or reviews",
  blocked: "a task made no progress: no change, or the same failure again and again",
  gate_fatal: "a gate cannot be judged, or a resumed commit no longer holds",
  post_verify: "verification after the last task failed",
  tampering: "something else changed the status files or the journal",
  cancelled: "cancelled; `--resume` continues",
  agent_error: "the agent program failed again and again and never answered",
  service: "a service did not start",
  no_report: "there is no report to work on",
  analysis: "the analysis gave no usable answer",
  prd: "no requirements document could be written",
  tasks: "no usable task list could be written",
  git: "git or the work tree is in an unsupported state",
  pr: "the pull request could not be opened",
  breaker: "the agent program answered before, then failed again and again",
  budget: "the budget is used up",
  max_runtime: "the time limit of the session is over; `--resume` continues",
  checkpoint: "the job's time is over, or a usage limit resets later; `--resume` continues",
  claim: "another session is working on this project",
  firewall: "the result must not be published",
};

/** One problem at one place; `line` and `column` count from 1. */
export type Problem = { file: string; line?: number; column?: number; message: string };

/** An error the user must act on: a message, and a remedy as one imperative sentence. */
export class RalphError extends Error {
  override readonly name = "RalphError";
  readonly reason: StopReason;
  readonly remedy: string;
  readonly problems: readonly Problem[];

  constructor(
    reason: StopReason,
    options: { message: string; remedy: string; problems?: readonly Problem[]; cause?: unknown },
  ) {
    super(options.message, { cause: options.cause });
    this.reason = reason;
    this.remedy = options.remedy;
    this.problems = options.problems ?? [];
  }

  get exitCode(): number {
    return stopReasons[this.reason];
  }
}

/** `file:line:column: message`, the form editors and annotations understand. */
export function renderProblem({ file, line, column, message }: Problem): string {
  return `${[visible(file), line, line && column].filter(Boolean).join(":")}: ${message}`;
}

const unseen = /[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]/gu;

/** Writes control and invisible characters as escapes, so that they cannot steer a terminal or imitate another line. */
export function visible(text: string): string {
  return text.replace(unseen, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** For `catch`, where the work goes on without what could not be done; anything but a RalphError is a bug and is thrown. */
export function unlessBug(error: unknown): undefined {
  if (!(error instanceof RalphError)) throw error;
}

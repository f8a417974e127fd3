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

/** One thing that is wrong in one place; `line` and `column` count from 1. */
export type Problem = { file: string; line?: number; column?: number; message: string };

/** Bad news the user must act on: what is wrong, and one imperative sentence with the way out. */
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
  return `${[file, line, line && column].filter(Boolean).join(":")}: ${message}`;
}

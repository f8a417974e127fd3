import type {
  CallLimits,
  Environment,
  Supervise,
  SupervisedEnd,
  SupervisedResult,
  System,
} from "../platform/system.ts";
import { readStartFailure } from "../sandbox/profile.ts";

export interface ShellProgram {
  file: string;
  args: readonly string[];
}

/** The surroundings of a shell command of the project. `root`, `wrap` and `env` belong together: they describe one place. */
export interface ShellDeps {
  supervise: Supervise;
  shell: ShellProgram;
  /** The project root: where commands run. */
  root: string;
  /** Their complete environment, see `gateEnvironment`. */
  env: Environment;
  /** Wraps the program in the sandbox, or returns it unchanged. */
  wrap: (program: ShellProgram) => ShellProgram;
  redact: (text: string) => string;
  signal: AbortSignal;
  /** The limits of all processes of one command together. */
  limits?: CallLimits;
}

export interface ShellResult {
  end: SupervisedEnd;
  /** stdout and stderr in order, redacted; only head and tail of a long output. */
  output: string;
  /** The full size in bytes, and whether part of it is missing from `output`. */
  outputBytes: number;
  isCut: boolean;
  ms: number;
}

/** Most bytes of head and tail each: together the size of a piece of evidence (design 2). */
const keepBytes = 2 * 1024 * 1024;

// Bash mistakes the pipe for a network connection and would read ~/.bashrc without --norc.
const bash: ShellProgram = {
  file: "bash",
  args: ["--noprofile", "--norc", "-o", "pipefail", "-c"],
};
const sh: ShellProgram = { file: "sh", args: ["-c"] };

/** The shell of gates, criteria and setup steps: bash with pipefail, so that `tests | tee log` stays red; sh where there is no bash. */
export async function findShell(
  { ask }: Pick<System, "ask">,
  { root, env }: Pick<ShellDeps, "root" | "env">,
): Promise<ShellProgram> {
  const { exitCode } = await ask({ file: bash.file, args: ["-c", ":"], cwd: root, env });
  return exitCode === 0 ? bash : sh;
}

/** Runs one shell command at the project root. None of its processes survive the call (F36). */
export async function runShell(
  deps: ShellDeps,
  { cmd, timeoutMs }: { cmd: string; timeoutMs: number },
): Promise<ShellResult> {
  const { shell, root, env, signal } = deps;
  // One stream keeps the order of the output. The command is on its own line, because it may begin with anything.
  const args = [...shell.args, `exec 2>&1\n${cmd}`];
  const program = deps.wrap({ file: shell.file, args });
  const limits = { timeoutMs, keepBytes, signal, limits: deps.limits };
  const result = await deps.supervise({ ...program, ...limits, cwd: root, env });
  const bytes = result.stdoutBytes + Buffer.byteLength(result.stderr);
  return {
    end: endOf(result),
    output: deps.redact(result.stdout + result.stderr),
    outputBytes: bytes,
    isCut: result.stdoutBytes > 2 * keepBytes,
    ms: result.ms,
  };
}

/** Only the sandbox itself writes to this stderr: a gate that was never started has not failed. */
function endOf({ end, stderr }: SupervisedResult): SupervisedEnd {
  const message = end.kind === "exited" ? readStartFailure({ code: end.code, stderr }) : undefined;
  return message === undefined ? end : { kind: "not-started", code: "sandbox", message };
}

/** How a command ended, as one sentence without the final period. */
export function describeEnd(end: SupervisedEnd, timeoutMs: number): string {
  switch (end.kind) {
    case "exited":
      return `exit code ${end.code}`;
    case "killed":
      return `ended by ${end.signal}`;
    case "timed-out":
    case "idle":
      return `not finished after ${timeoutMs / 1000} s`;
    case "over-limit":
      return `ended: it ${end.message} (\`sandbox.limits\`)`;
    case "cancelled":
      return "cancelled";
    case "not-started":
      return `could not be started: ${end.message}`;
  }
}

import { RalphError } from "../../error.ts";
import type { Output } from "./output.ts";

/**
 * The one place where an error becomes words and an exit code. What the user must act on is told in full and
 * without a stack trace: the message names every problem, the list of problems is for programs. Anything else is
 * our bug and keeps its stack.
 */
export function reportError(error: unknown, output: Output): number {
  if (!(error instanceof RalphError)) {
    const trace = error instanceof Error ? error.stack : String(error);
    output.problem(`This is a bug in ralph. Please report it with these lines:\n${trace}`);
    if (output.wantsJson) output.json({ status: "failed", error: { message: String(error) } });
    return 70;
  }
  output.problem(`Error: ${error.message}\n${error.remedy}`);
  if (output.wantsJson) output.json(errorJson(error));
  return error.exitCode;
}

const errorJson = (error: RalphError) => ({
  status: "failed",
  stop_reason: error.reason,
  exit_code: error.exitCode,
  error: { message: error.message, remedy: error.remedy, problems: error.problems },
});

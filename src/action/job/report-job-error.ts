import { RalphError } from "../../error.ts";
import { workflowCommand } from "../../views/job/workflow-command.ts";
import type { Print } from "../print.ts";
import { writeOutputs } from "./outputs.ts";

/**
 * The one place where an error of a step becomes words, outputs and an exit code: a note GitHub shows on top of
 * the run, without a stack trace. Anything but a RalphError is our bug and keeps its stack.
 */
export function reportJobError(error: unknown, print: Print): number {
  const { exitCode, reason, text } = describe(error);
  print.line(`Error: ${text}`);
  print.command(workflowCommand("error", text, { title: "ralph" }));
  // Last: where not even that can be written, the words above have been said.
  writeOutputs({ status: "failed", "stop-reason": reason, "exit-code": String(exitCode) });
  return exitCode;
}

function describe(error: unknown): { exitCode: number; reason: string; text: string } {
  if (error instanceof RalphError) {
    const { exitCode, reason, message, remedy } = error;
    return { exitCode, reason, text: `${message}\n${remedy}` };
  }
  const trace = error instanceof Error ? error.stack : String(error);
  const text = `This is a bug in ralph. Please report it with these lines:\n${trace}`;
  return { exitCode: 70, reason: "bug", text };
}

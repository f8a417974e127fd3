import { RalphError } from "../../error.ts";
import { workflowCommand } from "../../views/job/workflow-command.ts";
import type { Print } from "../step.ts";
import { writeOutputs } from "./outputs.ts";

/**
 * The only place that turns an error of a step into log lines, outputs and an exit code. GitHub shows the annotation at
 * the top of the run. Anything but a RalphError is a bug in ralph and keeps its stack trace.
 */
export function reportJobError(error: unknown, print: Print): number {
  const { exitCode, reason, text } = describe(error);
  print.line(`Error: ${text}`);
  print.command(workflowCommand("error", text, { title: "ralph" }));
  // Last: the lines above appear even if the outputs cannot be written.
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

import { logText } from "../views/job/workflow-command.ts";

type Stream = { write: (text: string) => unknown };

/** Prints a step's output. The runner executes commands, and never a line (T53). */
export interface Print {
  line: (text: string) => void;
  /** Only for lines from `workflowCommand`. */
  command: (line: string) => void;
}

export function printTo(stream: Stream): Print {
  const command = (line: string) => void stream.write(`${line}\n`);
  return {
    command,
    line: (text) => {
      for (const line of text.split("\n")) command(logText(line));
    },
  };
}

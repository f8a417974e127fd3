import { logText } from "../views/job/workflow-command.ts";

/** What is used of a stream. */
type Stream = { write: (text: string) => unknown };

/** Where a step's words go. Only a command is executed by the runner; a line never is (T53). */
export interface Print {
  line: (text: string) => void;
  /** Made by `workflowCommand` or one of its users, and nobody else. */
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

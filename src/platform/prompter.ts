import { createInterface } from "node:readline/promises";

/** Asks the person at the terminal. */
export interface Prompter {
  /** Whether a person can answer. */
  readonly isTerminal: boolean;
  /** The answer, trimmed; empty when only Enter was pressed, or at the end of the input. */
  question: (text: string, signal: AbortSignal) => Promise<string>;
}

/** The real terminal: stdin and stdout of this process. */
export function createPrompter(): Prompter {
  const { stdin, stdout } = process;
  return {
    isTerminal: stdin.isTTY === true && stdout.isTTY === true,
    question: async (text, signal) => {
      if (stdin.readableEnded) return "";
      // The terminal edits the line itself, so Ctrl-C stays a signal.
      const lines = createInterface({ input: stdin, output: stdout, terminal: false });
      try {
        const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
        const answer = await Promise.race([lines.question(text, { signal }), ended]);
        return answer.trim();
      } finally {
        lines.close();
      }
    },
  };
}

import { closeSync, fstatSync, readFileSync } from "node:fs";
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

/** Limit for an event (characters). */
const maxLength = 1024 * 1024;

/** The whole standard input; empty for a terminal. */
export async function readInput(): Promise<string> {
  if (process.stdin.isTTY) return "";
  let text = "";
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > maxLength) break;
  }
  return text.slice(0, maxLength);
}

/** The text the starting shell wrote into a descriptor, which is then closed; undefined when it wrote none. */
export function readDescriptor(descriptor: number): string | undefined {
  if (!holdsText(descriptor)) return undefined;
  const text = readFileSync(descriptor, "utf8");
  closeSync(descriptor);
  return text;
}

/** A shell passes text by a pipe or a file; anything else with this number belongs to Node. */
function holdsText(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return stat.isFIFO() || stat.isFile();
  } catch {
    return false;
  }
}

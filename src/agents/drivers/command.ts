import type { AnswerReader, Driver } from "./driver.ts";
import { outcomeOfEnd } from "./outcome.ts";
import { startWith } from "./program.ts";

/** Any program: it reads the prompt on stdin, its whole stdout is the answer, and exit code 0 means success. */
export const command: Driver = {
  name: "command",
  remedy: "Set `agents.<role>.command` in .ralph/ralph.yml to a program that exists.",
  projectFiles: [],
  credentials: [],
  command: startWith(() => []),
  createReader: createPlainReader,
};

/** The whole stdout is the answer. The supervisor keeps its head and tail, so nothing is kept here. */
export function createPlainReader(): AnswerReader {
  return {
    push: () => undefined,
    finish: (result) => ({
      outcome: outcomeOfEnd(result),
      finalMessage: result.stdout,
      usage: {},
    }),
  };
}

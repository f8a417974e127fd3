import type { AnswerReader } from "./driver.ts";
import { outcomeOfEnd } from "./outcome.ts";

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

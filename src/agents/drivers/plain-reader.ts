import type { AnswerReader } from "./driver.ts";
import { outcomeOfEnd } from "./outcome.ts";

/** The answer is all of stdout. The supervisor keeps a bounded head and tail of it, so nothing is kept here. */
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

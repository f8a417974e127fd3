import { StringDecoder } from "node:string_decoder";

/** Longer lines are skipped: the longest answer of a model is far below this (characters). */
const maxLine = 4 * 1024 * 1024;

export interface LineReader {
  push: (chunk: Buffer) => void;
  /** Passes on the text after the last line end. */
  finish: () => void;
}

/** Splits a stream into lines, with at most one line in memory (F28). */
export function createLineReader(onLine: (line: string) => void): LineReader {
  const decoder = new StringDecoder("utf8");
  let pending = "";
  let isTooLong = false;
  const add = (text: string) => {
    isTooLong ||= pending.length + text.length > maxLine;
    pending = isTooLong ? "" : pending + text;
  };
  const end = () => {
    if (!isTooLong && pending !== "") onLine(pending);
    pending = "";
    isTooLong = false;
  };
  return {
    push: (chunk) => {
      const text = decoder.write(chunk);
      let start = 0;
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", start)) {
        add(text.slice(start, at));
        end();
        start = at + 1;
      }
      add(text.slice(start));
    },
    finish: () => {
      add(decoder.end());
      end();
    },
  };
}

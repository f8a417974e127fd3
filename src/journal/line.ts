import { createHash } from "node:crypto";
import { type Fact, RunEvent } from "../core/state/event.ts";
import { RalphError } from "../error.ts";
import { jsonValue } from "../text/json-value.ts";

/** The hash a journal's first line points back to. */
export const noHash = "0".repeat(64);

export const hashLine = (line: string) => createHash("sha256").update(line).digest("hex");

/** The end of a chain: number, time and hash of the last line. */
export type ChainEnd = { seq: number; ts: string; hash: string };
/** `seq:hash`: the short form of a chain's end (design 2). */
export const digestOf = ({ seq, hash }: Pick<ChainEnd, "seq" | "hash">) => `${seq}:${hash}`;
export const chainStart: ChainEnd = { seq: 0, ts: "", hash: noHash };

/** Numbers, dates and chains a fact. Time never runs backwards: max(last + 1 ms, now) (design 9.1, F17). */
export function stampFact(fact: Fact, last: ChainEnd, nowMs: number): RunEvent {
  const earliest = last.ts === "" ? nowMs : Date.parse(last.ts) + 1;
  const ts = new Date(Math.max(earliest, nowMs)).toISOString();
  return { seq: last.seq + 1, ts, prev: last.hash, ...fact };
}

/** Parses one line and checks that it continues the chain. Callers may trust the result. */
export function parseJournalLine(line: string, last: ChainEnd, file: string): RunEvent {
  const number = last.seq + 1;
  const event = RunEvent.safeParse(jsonValue(line));
  if (!event.success) throw broken(file, number, "is not a journal event");
  if (event.data.seq !== number) throw broken(file, number, `has the number ${event.data.seq}`);
  if (event.data.prev !== last.hash)
    throw broken(file, number, "does not continue the line before");
  if (event.data.ts <= last.ts) throw broken(file, number, "goes back in time");
  return event.data;
}

/** The error for a line that ralph cannot have written (exit 6). */
export function broken(file: string, line: number, what: string): RalphError {
  return new RalphError("tampering", {
    message: `${file}:${line}: the journal was changed: this line ${what}.`,
    remedy:
      "Do not trust this session. Start a new one with `ralph run`; committed tasks are kept.",
    problems: [{ file, line, message: what }],
  });
}

import { StringDecoder } from "node:string_decoder";
import * as z from "zod";
import type { SupervisedResult } from "../../platform/system.ts";
import type { Answer, AnswerReader } from "./driver.ts";
import { failed, lastTextLine, outcomeOfEnd } from "./outcome.ts";
import {
  answerOf,
  isOnlyLoginNotice,
  parseStartError,
  type Remedies,
  type ReportedError,
} from "./reported-error.ts";

/** A driver's reading of its program's event stream; memory stays bounded, and nothing throws. */
export interface StreamDialect {
  take: (event: unknown) => void;
  /** The call's answer or error, once the stream has reported it. */
  result: () => (Omit<Answer, "outcome"> & { error?: ReportedError | undefined }) | undefined;
  /** The error the program was retrying when its stream broke off. */
  lastError: () => ReportedError | undefined;
}

/**
 * Reads JSON lines in one dialect. A result in the stream decides before exit code and time limits. Without a result,
 * the end of the process and the last error decide; without any event, the plain text.
 */
export function createStreamReader(dialect: StreamDialect, remedies: Remedies): AnswerReader {
  let isStream = false;
  const lines = createLineReader((line) => {
    const event = parseEvent(line);
    if (event === undefined) return;
    isStream = true;
    dialect.take(event);
  });
  return {
    push: lines.push,
    finish: (ended) => {
      lines.finish();
      if (!isStream) return answerOfPlainText(ended, remedies);
      const result = dialect.result();
      if (result === undefined) return answerOfBrokenStream(ended, dialect.lastError(), remedies);
      const { error, ...said } = result;
      if (error === undefined) return { ...said, outcome: { kind: "answered" } };
      return { ...said, ...answerOf(shortened(error), remedies) };
    },
  };
}

const AnyEvent = z.looseObject({ type: z.string() });

function parseEvent(line: string): unknown {
  // This check is a hundred times cheaper than an exception, which matters for large output.
  if (!line.startsWith("{") || !line.trimEnd().endsWith("}")) return undefined;
  try {
    return AnyEvent.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function answerOfBrokenStream(
  ended: SupervisedResult,
  lastError: ReportedError | undefined,
  remedies: Remedies,
): Answer {
  const end = outcomeOfEnd(ended);
  const outcome =
    end.kind === "answered" ? failed("agent", "its stream ended without a result") : end;
  const rest = { finalMessage: "", usage: {} };
  const isOurs = outcome.kind === "failed" && outcome.class === "agent";
  if (!isOurs || lastError === undefined) return { ...rest, outcome };
  const said = [outcome.message, lastError.said].filter(Boolean).join(": ");
  return { ...rest, ...answerOf(shortened({ ...lastError, said }), remedies) };
}

/** Characters of plain text that are searched for a reason. */
const maxStart = 8000;

function answerOfPlainText(ended: SupervisedResult, remedies: Remedies): Answer {
  const outcome = outcomeOfEnd(ended);
  const plain = { outcome, finalMessage: ended.stdout, usage: {} };
  const error = errorInPlainText(ended, outcome);
  return error ? { ...plain, ...answerOf(shortened(error), remedies) } : plain;
}

/** A program prints on stderr why it does not start; stdout may be an answer, so only its end counts as a reason. */
function errorInPlainText(
  { stdout, stderr }: SupervisedResult,
  outcome: Answer["outcome"],
): ReportedError | undefined {
  if (outcome.kind === "answered") {
    return isOnlyLoginNotice(stdout) ? { kind: "login", said: stdout } : undefined;
  }
  if (outcome.kind !== "failed" || outcome.class !== "agent") return undefined;
  return parseStartError(`${stderr.slice(0, maxStart)}\n${lastTextLine(stdout)}`);
}

const shortened = (error: ReportedError): ReportedError => ({
  ...error,
  said: lastTextLine(error.said) || "it reported an error",
});

/** Longer lines are skipped: the longest answer of a model is far below this (characters). */
const maxLine = 4 * 1024 * 1024;

interface LineReader {
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

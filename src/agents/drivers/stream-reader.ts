import * as z from "zod";
import type { SupervisedResult } from "../../platform/system.ts";
import type { Answer, AnswerReader } from "./driver.ts";
import { createLineReader } from "./line-reader.ts";
import { failed, lastTextLine, outcomeOfEnd } from "./outcome.ts";
import {
  answerOf,
  type Complaint,
  complaintOfStart,
  isOnlyLoginNotice,
  type Remedies,
} from "./trouble.ts";

/** What a driver knows of its program's event stream; memory stays bounded, nothing throws. */
export interface StreamDialect {
  take: (event: unknown) => void;
  /** The call's answer, or why it failed, once the stream has said so. */
  result: () => (Omit<Answer, "outcome"> & { complaint?: Complaint | undefined }) | undefined;
  /** What the program was struggling with when its stream broke off. */
  struggle: () => Complaint | undefined;
}

/**
 * Reads JSON lines in one dialect. A result in the stream decides before exit code and time limits; without one
 * the end of the process does, and what the program struggled with; without any event its plain words.
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
      if (result === undefined) return answerOfBrokenStream(ended, dialect.struggle(), remedies);
      const { complaint, ...said } = result;
      if (complaint === undefined) return { ...said, outcome: { kind: "answered" } };
      return { ...said, ...answerOf(shortened(complaint), remedies) };
    },
  };
}

const AnyEvent = z.looseObject({ type: z.string() });

function parseEvent(line: string): unknown {
  // Refusing by look is a hundred times cheaper than by exception, which matters in a flood.
  if (!line.startsWith("{") || !line.trimEnd().endsWith("}")) return undefined;
  try {
    return AnyEvent.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function answerOfBrokenStream(
  ended: SupervisedResult,
  struggle: Complaint | undefined,
  remedies: Remedies,
): Answer {
  const end = outcomeOfEnd(ended);
  const outcome =
    end.kind === "answered" ? failed("agent", "its stream ended without a result") : end;
  const rest = { finalMessage: "", usage: {} };
  const isOurs = outcome.kind === "failed" && outcome.class === "agent";
  if (!isOurs || struggle === undefined) return { ...rest, outcome };
  const said = [outcome.message, struggle.said].filter(Boolean).join(": ");
  return { ...rest, ...answerOf(shortened({ ...struggle, said }), remedies) };
}

/** Characters of plain text that are searched for a reason. */
const maxStart = 8000;

function answerOfPlainText(ended: SupervisedResult, remedies: Remedies): Answer {
  const outcome = outcomeOfEnd(ended);
  const plain = { outcome, finalMessage: ended.stdout, usage: {} };
  const complaint = complaintOfPlainText(ended, outcome);
  return complaint ? { ...plain, ...answerOf(shortened(complaint), remedies) } : plain;
}

/** On stderr a program says why it does not start; of stdout, which may be an answer, only the end is a reason. */
function complaintOfPlainText(
  { stdout, stderr }: SupervisedResult,
  outcome: Answer["outcome"],
): Complaint | undefined {
  if (outcome.kind === "answered") {
    return isOnlyLoginNotice(stdout) ? { trouble: "login", said: stdout } : undefined;
  }
  if (outcome.kind !== "failed" || outcome.class !== "agent") return undefined;
  return complaintOfStart(`${stderr.slice(0, maxStart)}\n${lastTextLine(stdout)}`);
}

const shortened = (complaint: Complaint): Complaint => ({
  ...complaint,
  said: lastTextLine(complaint.said) || "it reported an error",
});

import type { EvidenceRef } from "../../core/state/measurement.ts";
import { RalphError, type StopReason } from "../../error.ts";
import type { Evidence } from "../../journal/evidence.ts";
import type { Redactor } from "../../platform/secrets/redact.ts";
import type { System } from "../../platform/system.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { Model, Question, Reply } from "./model.ts";
import { type Judged, readAnswer } from "./read-answer.ts";
import type { SpendTracker } from "./spend-tracker.ts";

/** Everything a question needs. */
export interface ModelContext {
  system: Pick<System, "clock" | "randomHex">;
  model: Model;
  /** Keeps every raw answer, good or bad. */
  evidence: Pick<Evidence, "put">;
  /** The folder of the evidence, for messages. */
  evidenceFolder: string;
  redact: Redactor;
  spendTracker: Pick<SpendTracker, "requireLeft" | "add">;
  /** For all tries of a question together, milliseconds. */
  timeoutMs: number;
  cancel?: AbortSignal;
}

export interface Inquiry<Data> extends Omit<Question, "signal"> {
  judge: (value: unknown) => Judged<Data>;
  reason: StopReason;
  /** The subject of messages: "The analysis". */
  subject: string;
}

/** An answer of the wrong form is sent back once. */
const maxAnswers = 2;
const maxProblems = 20;

/**
 * Asks until an answer is good: once more after a bad one, with its problems, and twice more while the provider is
 * unreachable. Otherwise the run ends with the inquiry's reason, and the raw answer is kept as evidence.
 */
export async function askModel<Data>(context: ModelContext, inquiry: Inquiry<Data>): Promise<Data> {
  const signal = AbortSignal.any([
    AbortSignal.timeout(context.timeoutMs),
    ...(context.cancel ? [context.cancel] : []),
  ]);
  let problems: string[] = [];
  let raw: EvidenceRef | undefined;
  for (let answers = 0; answers < maxAnswers; answers += 1) {
    const prompt = context.redact(`${inquiry.prompt}${renderProblems(problems)}`);
    const reply = await askPatiently(context, { ...inquiry, prompt, signal });
    if (reply.kind === "failed") throw await refused(context, inquiry, reply);
    // The result is committed, so it must not hold a secret either.
    const text = context.redact(reply.text);
    raw = await context.evidence.put(text);
    const read = readAnswer(text);
    const judged: Judged<Data> =
      read.kind === "value" ? inquiry.judge(read.value) : { kind: "bad", problems: [read.problem] };
    if (judged.kind === "good") return judged.data;
    problems = judged.problems.map((line) => plainLine(line, 300)).slice(0, maxProblems);
  }
  throw new RalphError(inquiry.reason, {
    message: [
      `${inquiry.subject} gave no usable answer (${context.model.name}, asked ${maxAnswers} times):`,
      ...problems.map((line) => `  ${context.redact(line)}`),
    ].join("\n"),
    remedy: `Try again, or choose another model with \`--analysis-model\`.${whereOf(context, raw)}`,
  });
}

/** A path of this machine belongs into the remedy: messages are kept in the run record. */
const whereOf = ({ evidenceFolder }: ModelContext, kept: EvidenceRef | undefined) =>
  kept ? `\nRaw answer: ${evidenceFolder}/${kept.sha256}` : "";

function renderProblems(problems: readonly string[]): string {
  if (problems.length === 0) return "";
  const lines = problems.map((line) => `- ${line}`);
  return `\n\nYour last answer could not be used:\n${lines.join("\n")}\nAnswer again, completely, with nothing but the JSON object.`;
}

/** Waits before the second and third try. A provider may ask for a longer wait, up to a limit. */
const waitsMs = [1000, 4000];
const longestWaitMs = 60_000;

async function askPatiently(context: ModelContext, question: Question): Promise<Reply> {
  const { system } = context;
  for (const waitMs of waitsMs) {
    const reply = await askOnce(context, question);
    if (reply.kind === "answered" || reply.againAfterMs === undefined) return reply;
    if (question.signal.aborted || reply.againAfterMs > longestWaitMs) return reply;
    await system.clock.sleep(Math.max(waitMs, reply.againAfterMs), question.signal);
    if (question.signal.aborted) return reply;
  }
  return askOnce(context, question);
}

async function askOnce({ model, spendTracker }: ModelContext, question: Question): Promise<Reply> {
  await spendTracker.requireLeft();
  const reply = await model.ask(question);
  if (reply.kind === "answered" || isPaid(model, reply)) await spendTracker.add(reply.usage);
  return reply;
}

/** A failure may still cost money, such as a refusal: the model has read the prompt. */
const isPaid = ({ reportedUsage }: Model, { usage }: Reply) =>
  Boolean(usage.cost_usd || (reportedUsage === "tokens" && usage.input_tokens));

async function refused<Data>(
  context: ModelContext,
  { reason, subject }: Inquiry<Data>,
  { message, remedy, raw }: Reply & { kind: "failed" },
): Promise<RalphError> {
  const { evidence, redact, cancel, model } = context;
  if (cancel?.aborted) {
    return new RalphError("cancelled", {
      message: `${subject} was cancelled.`,
      remedy: "Resume with `ralph autopilot --resume`, or start a new run.",
    });
  }
  const kept = raw.trim() === "" ? undefined : await evidence.put(redact(raw));
  return new RalphError(reason, {
    message: `${subject} failed (${model.name}): ${redact(plainLine(message, 500))}.`,
    remedy: `${remedy}${whereOf(context, kept)}`,
  });
}

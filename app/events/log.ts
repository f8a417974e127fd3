import { RalphError } from "../../src/error.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import { createRedactor, type Redactor } from "../../src/platform/secrets/redact.ts";
import type { Clock } from "../../src/platform/system.ts";
import { cut, plainText } from "../../src/text/plain-text.ts";
import type { Settings } from "../settings/settings.ts";
import type { TakenJob } from "../store/queue.ts";

/** The fields of a line besides its message: `err` is an error, other values must be short and plain. */
export type Fields = Readonly<Record<string, unknown>>;
type Write = (fields: Fields | Error | string, message?: string) => void;

/** A log as Probot needs it; `debug` and `trace`, which contain whole requests, are dropped. */
export interface Log {
  level: "info";
  info: Write;
  warn: Write;
  error: Write;
  fatal: Write;
  debug: Write;
  trace: Write;
  child: () => Log;
}

export interface LogParts {
  clock: Pick<Clock, "now">;
  write: (line: string) => void;
  /** Values to redact in every line. */
  secrets: readonly string[];
}

const longest = { message: 2000, stack: 4000, field: 200 } as const;

/**
 * Writes one line of JSON per event. Properties that libraries add to errors, such as payloads and requests with headers,
 * are dropped, and secrets are redacted (T25).
 */
export function createLog({ clock, write, secrets }: LogParts): Log {
  const hide = createRedactor(secrets);
  const redact = (text: string) => hide(plainText(text));
  const at =
    (level: string): Write =>
    (given, message) => {
      const fields = typeof given === "string" ? {} : describe(given, redact);
      const text = message ?? (typeof given === "string" ? given : undefined);
      const time = new Date(clock.now()).toISOString();
      const msg = text === undefined ? {} : { msg: redact(cut(text, longest.message)) };
      write(`${JSON.stringify({ time, level, ...msg, ...fields })}\n`);
    };
  const none = () => undefined;
  const log: Log = {
    ...{ level: "info", debug: none, trace: none, child: () => log },
    ...{ info: at("info"), warn: at("warn"), error: at("error"), fatal: at("fatal") },
  };
  return log;
}

/** The secrets in the settings. */
export function secretsOf(settings: Settings): string[] {
  const { privateKey, webhookSecret, login, metricsToken, databaseUrl } = settings;
  const given = [webhookSecret, login?.clientSecret, metricsToken, passwordOf(databaseUrl)];
  // Redact each line of the key as well.
  const lines = privateKey.split("\n").filter((line) => /^[\w+/=]{20,}$/.test(line));
  return [privateKey, ...lines, ...given.flatMap((value) => value ?? [])].filter(Boolean);
}

function passwordOf(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  return decodeURIComponent(new URL(url).password);
}

function describe(given: Fields | Error, redact: Redactor): Fields {
  if (given instanceof Error) return { err: describeError(given, redact) };
  const kept = Object.entries(given).map(([name, value]) => [name, plainField(value, redact)]);
  return Object.fromEntries(kept);
}

/** The line omits undefined values. */
function plainField(value: unknown, redact: Redactor): unknown {
  if (value instanceof Error) return describeError(value, redact);
  if (typeof value === "string") return redact(cut(value, longest.field));
  return typeof value === "number" || typeof value === "boolean" ? value : undefined;
}

function describeError(error: Error, redact: Redactor): Fields {
  const { name: type, message, stack = "", cause } = error;
  const status = httpStatusOf(error);
  return {
    type,
    message: redact(cut(message, longest.message)),
    ...(error instanceof RalphError && { reason: error.reason }),
    ...(status !== undefined && { status }),
    ...(cause instanceof Error && { cause: redact(cut(cause.message, longest.message)) }),
    // The stack begins with the message.
    stack: redact(cut(stack.slice(stack.indexOf("\n    at ") + 1), longest.stack)),
  };
}

/** Reports an error, and the job it belongs to. */
export type ReportError = (error: unknown, job?: TakenJob) => void;

/** The same error is reported again after this time. */
const silenceMs = 60_000;
const maxKnown = 100;

/**
 * Reports an error without a job, such as an unreachable database, only once a minute, because every part of the App
 * meets it repeatedly. Errors of jobs are always reported.
 */
export function createQuietReporter(clock: Pick<Clock, "now">, report: ReportError): ReportError {
  const reported = new Map<string, number>();
  return (error, job) => {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const now = clock.now();
    if (!job && now - (reported.get(message) ?? Number.NEGATIVE_INFINITY) < silenceMs) return;
    if (reported.size >= maxKnown) reported.clear();
    reported.set(message, now);
    report(error, job);
  };
}

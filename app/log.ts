import { RalphError } from "../src/error.ts";
import { httpStatusOf } from "../src/github/api/to-ralph-error.ts";
import { createRedactor, type Redactor } from "../src/platform/secrets/redact.ts";
import type { Clock } from "../src/platform/system.ts";
import { cut, plainText } from "../src/text/plain-text.ts";
import type { Settings } from "./settings/settings.ts";

/** What stands beside the words of a line; `err` is an error, everything else is kept when it is short and plain. */
export type Fields = Readonly<Record<string, unknown>>;
type Write = (fields: Fields | Error | string, message?: string) => void;

/** As far as Probot needs one; `debug` and `trace`, which hold whole requests, go nowhere. */
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
  /** Values no line may hold. */
  secrets: readonly string[];
}

const longest = { message: 2000, stack: 4000, field: 200 } as const;

/**
 * One line of JSON for each thing that happened. Whatever a library hangs on its errors, such as the payload of an event or
 * a request with its headers, is left out, and secrets are redacted in what is left (T25).
 */
export function createLog({ clock, write, secrets }: LogParts): Log {
  const hide = createRedactor(secrets);
  const redact = (text: string) => hide(plainText(text));
  const at =
    (level: string): Write =>
    (given, message) => {
      const fields = typeof given === "string" ? {} : describe(given, redact);
      const words = message ?? (typeof given === "string" ? given : undefined);
      const time = new Date(clock.now()).toISOString();
      const msg = words === undefined ? {} : { msg: redact(cut(words, longest.message)) };
      write(`${JSON.stringify({ time, level, ...msg, ...fields })}\n`);
    };
  const none = () => undefined;
  const log: Log = {
    ...{ level: "info", debug: none, trace: none, child: () => log },
    ...{ info: at("info"), warn: at("warn"), error: at("error"), fatal: at("fatal") },
  };
  return log;
}

/** Everything the App is given that nobody may read in a log. */
export function secretsOf(settings: Settings): string[] {
  const { privateKey, webhookSecret, login, metricsToken, databaseUrl } = settings;
  const given = [webhookSecret, login?.clientSecret, metricsToken, passwordOf(databaseUrl)];
  // A piece of the key is as good as all of it.
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

/** What is undefined is left out of the line. */
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
    // The first lines of a stack are the message once more.
    stack: redact(cut(stack.slice(stack.indexOf("\n    at ") + 1), longest.stack)),
  };
}

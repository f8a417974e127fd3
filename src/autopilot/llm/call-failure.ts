import * as z from "zod";
import { type ErrorKind, errorKindOf } from "../../agents/drivers/reported-error.ts";
import { renderDuration } from "../../text/figures.ts";
import type { ApiSettings } from "./choose-provider.ts";
import type { Reply } from "./model.ts";

/** The error the library throws, with or without an answer of the provider. */
const Failure = z.object({
  message: z.string().catch("it failed"),
  statusCode: z.number().optional().catch(undefined),
  responseBody: z.string().optional().catch(undefined),
  responseHeaders: z.record(z.string(), z.string()).catch({}),
  cause: z.object({ message: z.string() }).optional().catch(undefined),
});
type Failure = z.infer<typeof Failure>;

/** Turns an error of a call into a reply: its message, its remedy, and whether to try again. Never throws. */
export function failedReply(error: unknown, api: ApiSettings, signal: AbortSignal): Reply {
  const failure = Failure.parse({ ...Object(error), message: Object(error).message });
  const { statusCode, responseBody = "" } = failure;
  const failed = { kind: "failed", raw: responseBody, usage: {} } as const;
  if (signal.aborted) {
    const message = `no answer from ${api.baseUrl} arrived in time`;
    return { ...failed, message, remedy: remedies.time, againAfterMs: undefined };
  }
  const message = messageOf(failure);
  // Without a status and a body, the provider sent no answer.
  const trouble =
    statusCode === undefined && responseBody === "" ? "provider" : errorKindOf(statusCode, message);
  const isPassing = trouble === "limit" || trouble === "provider";
  const afterMs = waitOf(failure);
  const remedy = remedyOf(trouble, { api, afterMs });
  return { ...failed, message, remedy, againAfterMs: isPassing ? (afterMs ?? 0) : undefined };
}

/** Status, message, and the cause unless the message already contains it. */
function messageOf({ statusCode, message, cause }: Failure): string {
  const why = cause && !message.includes(cause.message) ? cause.message : undefined;
  return [statusCode, message, why].filter(Boolean).join(" ").replace(/\.+$/, "");
}

const remedies = {
  time: "Run it again later, or choose another model.",
  billing: "Add credit to the account, or use another key.",
  limit: "Wait until the provider's limit resets, then run it again.",
  provider: "Check the network and the provider's status page, then run it again.",
  other: "Check `autopilot.analysis` in .ralph/ralph.yml against the provider's message.",
};

function remedyOf(
  trouble: ErrorKind,
  { api, afterMs }: { api: ApiSettings; afterMs: number | undefined },
): string {
  const { keyName, model, baseUrl } = api;
  if (trouble === "login") return `Set ${keyName} to a key that ${baseUrl} accepts.`;
  if (trouble === "model")
    return `Set \`autopilot.analysis.model\` to a model this key may use; ${model} is not one.`;
  if (trouble === "limit" && afterMs !== undefined)
    return `Wait ${renderDuration(afterMs)}, as the provider asks, then run it again.`;
  if (trouble === "billing" || trouble === "limit" || trouble === "provider")
    return remedies[trouble];
  return remedies.other;
}

/** `retry-after-ms`, or `retry-after` in seconds. Its form as a date is ignored, and the usual waits apply. */
function waitOf({ responseHeaders }: Failure): number | undefined {
  const ms = Number(responseHeaders["retry-after-ms"] ?? Number.NaN);
  const seconds = Number(responseHeaders["retry-after"] ?? Number.NaN);
  const wait = Number.isNaN(ms) ? seconds * 1000 : ms;
  return Number.isFinite(wait) && wait >= 0 ? wait : undefined;
}

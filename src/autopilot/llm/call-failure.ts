import * as z from "zod";
import { type Trouble, troubleOf } from "../../agents/drivers/trouble.ts";
import { renderDuration } from "../../text/figures.ts";
import type { ApiSettings } from "./choose-provider.ts";
import type { Reply } from "./model.ts";

/** What the library throws for an answer of the provider, or for none. */
const Failure = z.object({
  message: z.string().catch("it failed"),
  statusCode: z.number().optional().catch(undefined),
  responseBody: z.string().optional().catch(undefined),
  responseHeaders: z.record(z.string(), z.string()).catch({}),
  cause: z.object({ message: z.string() }).optional().catch(undefined),
});
type Failure = z.infer<typeof Failure>;

/** Says what went wrong with a call, what to do about it, and whether it may be tried again. Never throws. */
export function failedReply(error: unknown, api: ApiSettings, signal: AbortSignal): Reply {
  const failure = Failure.parse({ ...Object(error), message: Object(error).message });
  const { statusCode, responseBody = "" } = failure;
  if (signal.aborted) {
    const message = `there was no answer in time from ${api.baseUrl}`;
    return {
      kind: "failed",
      message,
      remedy: remedies.time,
      raw: responseBody,
      again: { kind: "never" },
      usage: {},
    };
  }
  const said = messageOf(failure);
  // Without a status nothing came back at all.
  const trouble =
    statusCode === undefined && responseBody === "" ? "provider" : troubleOf(statusCode, said);
  const isPassing = trouble === "limit" || trouble === "provider";
  const afterMs = waitOf(failure);
  return {
    kind: "failed",
    message: said,
    remedy: remedyOf(trouble, { api, afterMs }),
    raw: responseBody,
    again: isPassing ? { kind: "later", afterMs } : { kind: "never" },
    usage: {},
  };
}

/** The cause only where the message does not say it already. */
function messageOf({ statusCode, message, cause }: Failure): string {
  const why = cause && !message.includes(cause.message) ? cause.message : undefined;
  return [statusCode, message, why].filter(Boolean).join(" ").replace(/\.+$/, "");
}

const remedies = {
  time: "Run it again later, or choose another model.",
  billing: "Add credit to the account, or use another key.",
  limit: "Wait until the provider's limit resets, then run it again.",
  provider: "Check the network and the provider's status page, then run it again.",
  other: "Check `autopilot.analysis` in .ralph/ralph.yml against what the provider says.",
};

function remedyOf(
  trouble: Trouble,
  { api, afterMs }: { api: ApiSettings; afterMs: number | undefined },
): string {
  const { keyName, model, baseUrl } = api;
  if (trouble === "login") return `Set ${keyName} to a key ${baseUrl} accepts.`;
  if (trouble === "model")
    return `Set \`autopilot.analysis.model\` to a model this key may use; ${model} is not one.`;
  if (trouble === "limit" && afterMs !== undefined)
    return `The provider asks to wait ${renderDuration(afterMs)}; then run it again.`;
  if (trouble === "billing" || trouble === "limit" || trouble === "provider")
    return remedies[trouble];
  return remedies.other;
}

/** `retry-after` in seconds, or the same in milliseconds; dates are left to our own waiting. */
function waitOf({ responseHeaders }: Failure): number | undefined {
  const ms = Number(responseHeaders["retry-after-ms"] ?? Number.NaN);
  const seconds = Number(responseHeaders["retry-after"] ?? Number.NaN);
  const wait = Number.isNaN(ms) ? seconds * 1000 : ms;
  return Number.isFinite(wait) && wait >= 0 ? wait : undefined;
}

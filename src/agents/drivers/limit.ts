import * as z from "zod";
import { parseResetTime } from "./reset-time.ts";

/** A usage or rate limit was reached. `resetsAt` (ISO) is set when the notice states it. */
export interface Limit {
  resetsAt?: string;
}

const RateLimitEvent = z.object({
  type: z.literal("rate_limit_event"),
  rate_limit_info: z.object({
    status: z.literal("rejected"),
    resetsAt: z.number().min(0).max(8.64e12).optional().catch(undefined),
  }),
});

/** Reads the stream's limit event, which counts before any text: `status` rejected, `resetsAt` in seconds since 1970. */
export function limitOfEvent(event: unknown): Limit | undefined {
  const parsed = RateLimitEvent.safeParse(event);
  if (!parsed.success) return undefined;
  const { resetsAt } = parsed.data.rate_limit_info;
  return resetsAt === undefined ? {} : { resetsAt: new Date(resetsAt * 1000).toISOString() };
}

const notice = new RegExp(
  [
    "hit your (?:[\\w-]+ )?limit",
    "(?:usage|session|weekly|daily|hourly|monthly|5-hour|opus) limit (?:was |has been )?(?:reached|exceeded|hit)",
    "rate[ _-]limit(?:ed|_error|_exceeded| reached| exceeded|s? will reset)",
    "limits? will reset",
    "too many requests",
    "rejected \\(429\\)",
    "quota (?:was |has been )?(?:reached|exceeded|exhausted)",
    "to increase your limits, request a quota increase",
  ].join("|"),
  "i",
);

/** A message that is only a notice has at most this many characters. */
const maxNotice = 300;
/** Only the end of a longer output is searched; a failing program prints the reason last. */
const maxText = 4096;

/** The limit that the end of a failed call's output names. `now` is milliseconds since 1970. */
export function limitOfText(text: string, now: number): Limit | undefined {
  const end = text.slice(-maxText);
  const found = notice.exec(end);
  if (!found) return undefined;
  const resetsAt = parseResetTime(end.slice(found.index), now);
  return resetsAt === undefined ? {} : { resetsAt };
}

/** Whether a message is only a limit notice: short and without a tag. Then even a call with exit code 0 has failed. */
export function isOnlyLimitNotice(message: string): boolean {
  const text = message.trim();
  if (text.length > maxNotice || text.includes("<") || text.split("\n").length > 3) return false;
  const start = notice.exec(text)?.index;
  return start !== undefined && start <= maxLeadIn;
}

/** Longest text before a notice, such as "API Error: ", "You've ", "Claude AI ". */
const maxLeadIn = 24;

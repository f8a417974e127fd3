import * as z from "zod";
import { parseResetTime } from "./reset-time.ts";

/** A usage or rate limit was hit. `resetsAt` (ISO) is only there when the notice states it. */
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

/** The stream's own event comes before every text: `status` rejected, `resetsAt` in seconds since 1970. */
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
  ].join("|"),
  "i",
);

/** A notice is short: one that stands alone has at most this many characters. */
const maxNotice = 300;
/** Of a longer output only the end is looked at; a program that fails says why last. */
const maxText = 4096;

/** What a failed call's last words say about a limit. `now` is milliseconds since 1970. */
export function limitOfText(text: string, now: number): Limit | undefined {
  const end = text.slice(-maxText);
  const found = notice.exec(end);
  if (!found) return undefined;
  const resetsAt = parseResetTime(end.slice(found.index), now);
  return resetsAt === undefined ? {} : { resetsAt };
}

/**
 * Is the whole message nothing but the notice? Then a call that ended well has failed all the same. A message
 * that goes on, holds a tag, or begins with something else is an answer that happens to speak of limits.
 */
export function isOnlyLimitNotice(message: string): boolean {
  const text = message.trim();
  if (text.length > maxNotice || text.includes("<") || text.split("\n").length > 3) return false;
  const start = notice.exec(text)?.index;
  return start !== undefined && start <= maxLeadIn;
}

/** "API Error: ", "You've ", "Claude AI ": what stands before the words of a notice. */
const maxLeadIn = 24;

import type { AgentHealth } from "../state/session-state.ts";
import type { Policy } from "./policy.ts";
import type { Step } from "./step.ts";

/** 1 s, 2 s, 4 s … up to the maximum; the loop adds the jitter (design 4: never thirty hot retries). */
export function backoffMs(failuresInRow: number, { backoffMs, backoffMaxMs }: Policy["breaker"]) {
  return Math.min(backoffMaxMs, backoffMs * 2 ** (Math.max(1, failuresInRow) - 1));
}

const minute = 60_000;
/** Waits when a limit states no reset time. */
const ladder = [minute, 5 * minute, 30 * minute, 60 * minute];
/** Added to the stated reset, so that a small clock difference does not cost a second refusal. */
const grace = 5_000;
/** The longest wait without a deadline; beyond it the session is checkpointed instead. */
const patience = 60 * minute;

/** On a usage limit: waits for a reset before the deadline, else checkpoints and names the time (design 4). */
export function limitWait(
  { pending, limitsInRow }: AgentHealth,
  { ts, policy }: { ts: string; policy: Policy },
): Step {
  const now = Date.parse(ts);
  const stated = pending?.resetsAt === undefined ? undefined : Date.parse(pending.resetsAt) + grace;
  const step = ladder[Math.min(limitsInRow, ladder.length) - 1] ?? minute;
  const until = Math.max(now, stated ?? now + step);
  const deadlines = policy.deadlines.map(({ at }) => at);
  const latest = deadlines.length > 0 ? Math.min(...deadlines) : now + patience;
  const when = new Date(until).toISOString();
  const message = `${pending?.message ?? "The agent is rate limited"} (until ${when})`;
  if (until > latest) return { kind: "end", reason: "checkpoint", message };
  return { kind: "wait", because: "limit", ms: until - now, message };
}

import { randomUUID } from "node:crypto";
import type { Clock } from "../../src/platform/system.ts";
import type { Notes } from "../store/notes.ts";
import type { Log } from "./log.ts";

/** The events that the App reports about itself; the log's field `event`. */
export type EventName =
  | "delivery"
  | "decision"
  | "job"
  | "run-started"
  | "run-waiting"
  | "run-refused"
  | "run-ended"
  | "cancel-requested"
  | "paused"
  | "resumed"
  | "requeued"
  | "signed-in"
  | "signed-out"
  | "repository-moved"
  | "repository-gone"
  | "job-dropped";

/** Plain values only: no text of issues, comments or payloads. */
export type EventFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Reports one event: a line in the log, and for events of a repository an entry in its audit trail. */
export type RecordEvent = (event: EventName, fields: EventFields) => void;

/** Events that answer "who did that, and when"; they are kept for people who can read the repository. */
const audited = new Set<EventName>([
  ...(["run-started", "run-waiting", "run-refused", "run-ended", "cancel-requested"] as const),
  ...(["paused", "resumed", "requeued", "repository-moved", "repository-gone"] as const),
]);

/** How long the audit trail reaches back. */
export const auditKeptMs = 180 * 24 * 60 * 60_000;
const pruneMs = 60 * 60_000;

export interface RecorderParts {
  log: Pick<Log, "info">;
  /** Counts the event for the metrics. */
  count: (event: EventName, fields: EventFields) => void;
  notify: (event: EventName, fields: EventFields) => void;
  notes: Pick<Notes, "put" | "prune">;
  clock: Pick<Clock, "now">;
  report: (error: unknown) => void;
}

/** Failing to keep an entry is reported, and stops nothing. `repository` in the fields is the id. */
export function createRecorder({
  log,
  count,
  notify,
  notes,
  clock,
  report,
}: RecorderParts): RecordEvent {
  let prunedAt = 0;
  const keep = async (event: EventName, fields: EventFields) => {
    const at = clock.now();
    const repository = String(fields.repository ?? "");
    const data = { event, ...fields };
    await notes.put({ kind: "audit", id: randomUUID(), repository, at, data });
    if (at - prunedAt < pruneMs) return;
    prunedAt = at;
    await notes.prune("audit", at - auditKeptMs);
  };
  return (event, fields) => {
    log.info({ event, ...fields });
    count(event, fields);
    notify(event, fields);
    if (audited.has(event) && fields.repository !== undefined) keep(event, fields).catch(report);
  };
}

/** Sends some events to an address of the operator; chat services show `text`. */
export type Notify = (event: EventName, fields: EventFields) => void;

const requestMs = 10_000;

/** Announces ended runs and jobs that failed permanently; a failing announcement is reported, and stops nothing. */
export function createNotifier(url: string | undefined, report: (error: unknown) => void): Notify {
  return (event, fields) => {
    const text = url === undefined ? undefined : renderNotification(event, fields);
    if (url === undefined || text === undefined) return;
    send(url, { text, event, ...fields }).catch(report);
  };
}

async function send(url: string, body: object): Promise<void> {
  const { ok, status } = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "ralph" },
    body: JSON.stringify(body),
    redirect: "error",
    signal: AbortSignal.timeout(requestMs),
  });
  if (!ok) throw new Error(`NOTIFY_URL answered ${status}.`);
}

/** One sentence; undefined for an event that is not announced. Pure. */
export function renderNotification(event: EventName, fields: EventFields): string | undefined {
  const { name, item, headline, kind, outcome, group } = fields;
  if (event === "run-ended") return `${name}, ${item}: ${headline}`;
  const isDead = event === "job" && outcome === "dead";
  return isDead
    ? `A job failed permanently: ${kind} of ${group}. The queue page can retry it.`
    : undefined;
}

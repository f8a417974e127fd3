import type { EventFields, EventName } from "./recorder.ts";

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

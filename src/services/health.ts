import { clock } from "../platform/clock.ts";
import { askLoopback } from "../platform/net/ask-loopback.ts";
import type { Connect } from "../platform/net/port-link.ts";

export type Health = { isHealthy: boolean; detail: string };

const requestMs = 1000;

/**
 * Whether a service answers: every path with 2xx; without paths, `/` with any status below 500. No redirect is followed,
 * and the body is dropped.
 */
export async function askHealth(
  port: number,
  paths: readonly string[],
  connect?: Connect,
): Promise<Health> {
  const wanted = paths.length === 0 ? ["/"] : paths;
  const isGood = (status: number) =>
    paths.length === 0 ? status < 500 : status >= 200 && status < 300;
  for (const path of wanted) {
    const answer = await askLoopback({ port, path, connect, timeoutMs: requestMs, maxBytes: 0 });
    if (answer.kind === "failed") return { isHealthy: false, detail: `${path}: ${answer.message}` };
    if (!isGood(answer.status)) {
      return { isHealthy: false, detail: `${path} answers ${answer.status}` };
    }
  }
  return { isHealthy: true, detail: "" };
}

/** Often at first, because most services are up within two seconds. */
export const pauseMs = (passedMs: number) => (passedMs < 2000 ? 25 : 100);

/** Milliseconds since it was made. Services are real programs, so their time is the machine's. */
export function createStopwatch(): () => number {
  const began = clock.monotonic();
  return () => clock.monotonic() - began;
}

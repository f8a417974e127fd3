import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Queue } from "../store/queue.ts";
import type { PageAnswer, Route } from "../webhooks/route.ts";
import type { Counters } from "./counters.ts";
import { renderMetrics } from "./render-metrics.ts";

export interface MetricsParts {
  queue: Pick<Queue, "counts">;
  counters: Counters;
  /** A request with this token is allowed from any address. */
  token: string | undefined;
  startedAt: number;
}

/** `/metrics` for Prometheus: with the token if one is set, else for this machine only. */
export const metricsPages = (parts: MetricsParts): Route[] => [
  { method: "GET", path: "/metrics", page: ({ request }) => answer(parts, request) },
];

async function answer(parts: MetricsParts, request: IncomingMessage): Promise<PageAnswer> {
  const { queue, counters, token, startedAt } = parts;
  if (!mayRead(request, token)) {
    const body = "METRICS_TOKEN is required, as `Authorization: Bearer …`\n";
    return { status: 403, type: "text/plain", body };
  }
  const counts = await queue.counts().catch(() => undefined);
  const { rss: residentBytes } = process.memoryUsage();
  const body = renderMetrics({ counted: counters.list(), queue: counts, residentBytes, startedAt });
  return { status: 200, type: "text/plain; version=0.0.4", body };
}

function mayRead({ headers, socket }: IncomingMessage, token: string | undefined): boolean {
  if (token !== undefined) return isSame(headers.authorization ?? "", `Bearer ${token}`);
  // A proxy on this machine may forward requests from elsewhere.
  const isForwarded = ["forwarded", "x-forwarded-for", "x-real-ip", "via"].some(
    (name) => headers[name] !== undefined,
  );
  return !isForwarded && isLoopback(socket.remoteAddress ?? "");
}

const isLoopback = (address: string) => /^(?:::ffff:)?127\.|^::1$/.test(address);

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}

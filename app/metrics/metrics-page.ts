import type { IncomingMessage } from "node:http";
import { isSameSecret } from "../../src/platform/secrets/is-same-secret.ts";
import type { Queue, QueueCounts } from "../store/queue.ts";
import type { PageAnswer, Route } from "../webhooks/route.ts";
import type { Counters, CounterValue, Labels } from "./counters.ts";

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
  if (token !== undefined) return isSameSecret(headers.authorization ?? "", `Bearer ${token}`);
  // A proxy on this machine may forward requests from elsewhere.
  const isForwarded = ["forwarded", "x-forwarded-for", "x-real-ip", "via"].some(
    (name) => headers[name] !== undefined,
  );
  return !isForwarded && isLoopback(socket.remoteAddress ?? "");
}

const isLoopback = (address: string) => /^(?:::ffff:)?127\.|^::1$/.test(address);

interface MetricValues {
  counted: readonly CounterValue[];
  /** Undefined while the database is unreachable. */
  queue: QueueCounts | undefined;
  residentBytes: number;
  startedAt: number;
}

type Metric = { name: string; type: "counter" | "gauge"; help: string };
type Sample = { labels: Labels; value: number };

/** Counters of this process; they start at 0. */
const counters: readonly Metric[] = [
  {
    name: "ralph_deliveries_total",
    type: "counter",
    help: "Deliveries that were answered, by status and answer.",
  },
  { name: "ralph_job_attempts_total", type: "counter", help: "Attempts begun, by kind of job." },
  {
    name: "ralph_jobs_total",
    type: "counter",
    help: "Attempts ended, by kind of job and outcome: done, failed (tried again), dead.",
  },
];

/** Renders `/metrics` in the text format of Prometheus, version 0.0.4. */
export function renderMetrics({ counted, queue, residentBytes, startedAt }: MetricValues): string {
  const gauge = (name: string, help: string): Metric => ({ name, type: "gauge", help });
  const bytes = gauge("ralph_process_resident_memory_bytes", "Memory of this process.");
  const start = gauge("ralph_process_start_time_seconds", "When it began, seconds since 1970.");
  const up = gauge("ralph_database_up", "Whether the database answers.");
  const jobs = gauge(
    "ralph_queue_jobs",
    "Jobs of all replicas by state; done ones for a week, dead ones for a month.",
  );
  return [
    ...counters.flatMap((metric) => render(metric, samplesOf(counted, metric.name))),
    ...render(jobs, queue ? byState(queue) : []),
    ...render(up, only(queue ? 1 : 0)),
    ...render(bytes, only(residentBytes)),
    ...render(start, only(startedAt / 1000)),
    "",
  ].join("\n");
}

const samplesOf = (counted: readonly CounterValue[], name: string): Sample[] =>
  counted
    .filter((each) => each.name === name)
    .map(({ labels, count }) => ({ labels, value: count }));

const byState = (queue: QueueCounts): Sample[] =>
  Object.entries(queue).map(([state, value]) => ({ labels: { state }, value }));

const only = (value: number): Sample[] => [{ labels: {}, value }];

function render({ name, type, help }: Metric, samples: readonly Sample[]): string[] {
  const lines = samples.map(({ labels, value }) => `${name}${renderLabels(labels)} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

function renderLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${quoted(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const quoted = (value: string) =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

import type { IncomingMessage } from "node:http";
import { isSameSecret } from "../../src/platform/secrets/secret-file.ts";
import type { Clock } from "../../src/platform/system.ts";
import type { Backlog, Queue, QueueCounts } from "../store/queue.ts";
import type { PageAnswer, Route } from "../webhooks/route.ts";
import type { Counters, CounterValue, Labels } from "./counters.ts";

export interface MetricsParts {
  queue: Pick<Queue, "counts" | "backlog">;
  limits: ReadonlyMap<number, number>;
  clock: Pick<Clock, "now">;
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
  const { queue, counters, token, startedAt, limits } = parts;
  if (!mayRead(request, token)) {
    const body = "METRICS_TOKEN is required, as `Authorization: Bearer …`\n";
    return { status: 403, type: "text/plain", body };
  }
  const counts = await queue.counts().catch(() => undefined);
  const { rss: residentBytes } = process.memoryUsage();
  const backlog = await queue.backlog().catch(() => undefined);
  const body = renderMetrics({
    ...{ counted: counters.list(), queue: counts, backlog, limits, residentBytes, startedAt },
    now: parts.clock.now(),
  });
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
  backlog: Backlog | undefined;
  /** Requests left in the current hour, by installation. */
  limits: ReadonlyMap<number, number>;
  /** Undefined while the database is unreachable. */
  queue: QueueCounts | undefined;
  residentBytes: number;
  startedAt: number;
  now: number;
}

type Metric = { name: string; type: "counter" | "gauge"; help: string };
type Sample = { labels: Labels; value: number };

/** The counters of this process, which start at 0, and what each counts. */
const counters: Readonly<Record<string, string>> = {
  ralph_deliveries_total: "Deliveries that were answered, by status and answer.",
  ralph_job_attempts_total: "Attempts begun, by kind of job.",
  ralph_jobs_total: "Attempts ended, by kind of job and outcome: done, failed (tried again), dead.",
  ralph_job_seconds_total: "Time of ended attempts, by kind.",
  ralph_events_total: "Events, as the log names them.",
  ralph_runs_ended_total:
    "Runs that ended, by how: merged, open, closed, nothing-to-do, partly-done, failed, cancelled, timed-out, budget-used, lost, taken-over.",
  ralph_run_seconds_total: "Time of ended runs, by ending.",
  ralph_run_cost_usd_total: "Cost of ended runs, by ending.",
};

/** Renders `/metrics` in the text format of Prometheus, version 0.0.4. */
export function renderMetrics(values: MetricValues): string {
  const { counted, queue, backlog, limits, residentBytes, startedAt, now } = values;
  const counter = ([name, help]: [string, string]) =>
    render({ name, type: "counter", help }, samplesOf(counted, name));
  const gauge = (name: string, help: string): Metric => ({ name, type: "gauge", help });
  const bytes = gauge("ralph_process_resident_memory_bytes", "Memory of this process.");
  const start = gauge("ralph_process_start_time_seconds", "When it began, seconds since 1970.");
  const up = gauge("ralph_database_up", "Whether the database answers.");
  const jobs = gauge(
    "ralph_queue_jobs",
    "Jobs of all replicas by state; done ones for a week, dead ones for a month.",
  );
  const due = gauge("ralph_queue_due_jobs", "Ready jobs whose time has come.");
  const age = gauge("ralph_queue_oldest_due_seconds", "How long the oldest of them waits.");
  const left = gauge("ralph_rate_limit_remaining", "Requests left this hour, by installation.");
  return [
    ...Object.entries(counters).flatMap(counter),
    ...render(jobs, queue ? byState(queue) : []),
    ...render(due, backlog ? only(backlog.due) : []),
    ...render(age, backlog ? only(ageOf(backlog, now)) : []),
    ...render(left, limitsLeft(limits)),
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

const ageOf = ({ oldestDueAt }: Backlog, now: number) =>
  oldestDueAt === undefined ? 0 : Math.max(0, (now - oldestDueAt) / 1000);

const limitsLeft = (limits: ReadonlyMap<number, number>): Sample[] =>
  [...limits].map(([installation, value]) => ({
    labels: { installation: String(installation) },
    value,
  }));

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

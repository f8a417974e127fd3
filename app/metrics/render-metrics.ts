import type { QueueCounts } from "../store/queue.ts";
import type { CounterValue, Labels } from "./counters.ts";

export interface MetricValues {
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

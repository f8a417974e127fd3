import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createCounters, withJobCounters } from "../../../app/metrics/counters.ts";
import { metricsPages, renderMetrics } from "../../../app/metrics/metrics-page.ts";
import { webhookPath } from "../../../app/settings/settings.ts";
import { type Queue, retryPolicy, type TakenJob } from "../../../app/store/queue.ts";
import { deliver } from "../../support/app/deliveries.ts";
import { startPagesApp } from "../../support/app/pages.ts";

const none = { ready: 0, active: 0, dead: 0, done: 0 };

test("every metric has a name, a type and a description", () => {
  const counters = createCounters();
  const labels = { status: "202", answer: 'a "quoted"\nline \\' };
  counters.add("ralph_deliveries_total", labels);
  counters.add("ralph_deliveries_total", labels);
  counters.add("ralph_jobs_total", { kind: "start", outcome: "done" });
  const figures = { counted: counters.list(), queue: { ...none, ready: 3 } };
  const backlog = { due: 2, oldestDueAt: 4000 };
  const limits = new Map([[3, 4900]]);
  expect(
    renderMetrics({ ...figures, backlog, limits, residentBytes: 1024, startedAt: 5000, now: 9000 }),
  ).toMatchInlineSnapshot(`
    "# HELP ralph_deliveries_total Deliveries that were answered, by status and answer.
    # TYPE ralph_deliveries_total counter
    ralph_deliveries_total{status="202",answer="a \\"quoted\\"\\nline \\\\"} 2
    # HELP ralph_job_attempts_total Attempts begun, by kind of job.
    # TYPE ralph_job_attempts_total counter
    # HELP ralph_jobs_total Attempts ended, by kind of job and outcome: done, failed (tried again), dead.
    # TYPE ralph_jobs_total counter
    ralph_jobs_total{kind="start",outcome="done"} 1
    # HELP ralph_job_seconds_total Time of ended attempts, by kind.
    # TYPE ralph_job_seconds_total counter
    # HELP ralph_events_total Events, as the log names them.
    # TYPE ralph_events_total counter
    # HELP ralph_runs_ended_total Runs that ended, by how: merged, open, closed, nothing-to-do, partly-done, failed, cancelled, timed-out, budget-used, lost, taken-over.
    # TYPE ralph_runs_ended_total counter
    # HELP ralph_run_seconds_total Time of ended runs, by ending.
    # TYPE ralph_run_seconds_total counter
    # HELP ralph_run_cost_usd_total Cost of ended runs, by ending.
    # TYPE ralph_run_cost_usd_total counter
    # HELP ralph_queue_jobs Jobs of all replicas by state; done ones for a week, dead ones for a month.
    # TYPE ralph_queue_jobs gauge
    ralph_queue_jobs{state="ready"} 3
    ralph_queue_jobs{state="active"} 0
    ralph_queue_jobs{state="dead"} 0
    ralph_queue_jobs{state="done"} 0
    # HELP ralph_queue_due_jobs Ready jobs whose time has come.
    # TYPE ralph_queue_due_jobs gauge
    ralph_queue_due_jobs 2
    # HELP ralph_queue_oldest_due_seconds How long the oldest of them waits.
    # TYPE ralph_queue_oldest_due_seconds gauge
    ralph_queue_oldest_due_seconds 5
    # HELP ralph_rate_limit_remaining Requests left this hour, by installation.
    # TYPE ralph_rate_limit_remaining gauge
    ralph_rate_limit_remaining{installation="3"} 4900
    # HELP ralph_database_up Whether the database answers.
    # TYPE ralph_database_up gauge
    ralph_database_up 1
    # HELP ralph_process_resident_memory_bytes Memory of this process.
    # TYPE ralph_process_resident_memory_bytes gauge
    ralph_process_resident_memory_bytes 1024
    # HELP ralph_process_start_time_seconds When it began, seconds since 1970.
    # TYPE ralph_process_start_time_seconds gauge
    ralph_process_start_time_seconds 5
    "
  `);
});

test("while the database is unreachable the other metrics are shown", () => {
  const text = renderMetrics({
    ...{ counted: [], queue: undefined, backlog: undefined, limits: new Map() },
    ...{ residentBytes: 1, startedAt: 0, now: 0 },
  });
  expect(text).toContain("ralph_database_up 0\n");
  expect(text).not.toContain("ralph_queue_jobs{");
});

const job = (attempt: number): TakenJob => ({
  ...{ id: randomUUID(), kind: "start", group: "g", data: null, attempt, lease: "1" },
});

test("attempts are counted by outcome, if the lease was still held", async () => {
  const counters = createCounters();
  let isOurs = true;
  const answer = async () => isOurs;
  const take = async () => job(1);
  const queue = withJobCounters(
    { take, finish: answer, fail: answer, deadLetter: answer } as unknown as Queue,
    { counters, record: () => undefined, clock: { monotonic: () => 0 } },
  );
  await queue.take();
  await queue.finish(job(1));
  await queue.fail(job(1), "");
  await queue.fail(job(retryPolicy.attempts), "");
  await queue.deadLetter(job(1), "");
  isOurs = false;
  await queue.finish(job(1));
  expect(
    counters
      .list()
      .filter(({ name }) => name !== "ralph_job_seconds_total")
      .map(({ labels, count }) => [Object.values(labels).join(" "), count]),
  ).toEqual([
    ["start", 1],
    ["start done", 1],
    ["start failed", 1],
    ["start dead", 2],
  ]);
});

const asked: [string, string, string | undefined, Record<string, string>, number][] = [
  ["this machine", "127.0.0.1", undefined, {}, 200],
  ["this machine by IPv6", "::1", undefined, {}, 200],
  ["this machine by both", "::ffff:127.0.0.1", undefined, {}, 200],
  ["another machine", "192.0.2.7", undefined, {}, 403],
  ["a name like this machine's", "192.0.2.127", undefined, {}, 403],
  ["a client behind a proxy", "127.0.0.1", undefined, { "x-forwarded-for": "192.0.2.7" }, 403],
  ["this machine without the token", "127.0.0.1", "t0ken", {}, 403],
  ["another machine with the token", "192.0.2.7", "t0ken", { authorization: "Bearer t0ken" }, 200],
  ["a wrong token", "127.0.0.1", "t0ken", { authorization: "Bearer t0keN" }, 403],
  ["an empty token", "127.0.0.1", "t0ken", { authorization: "Bearer " }, 403],
];

test.each(asked)(
  "%s (%s) gets the right answer",
  async (_, remoteAddress, token, headers, status) => {
    const [route] = metricsPages({
      queue: {
        counts: async () => none,
        backlog: async () => ({ due: 0, oldestDueAt: undefined }),
      },
      ...{ counters: createCounters(), token, startedAt: 0 },
      ...{ limits: new Map(), clock: { now: () => 0 } },
    });
    const request = { headers, socket: { remoteAddress } } as never;
    expect(await route?.page({ request, parts: [], query: new URLSearchParams() })).toMatchObject({
      status,
    });
  },
);

test("the App counts deliveries by their answer, and jobs", async () => {
  const { url, store } = await startPagesApp();
  const hook = `${url}${webhookPath}`;
  await deliver(hook, { event: "star", body: "{}" });
  await deliver(hook, { body: "{}", signature: `sha256=${"0".repeat(64)}` });
  await store.queue.add([{ ...job(1), kind: "nothing" }]);
  await expect
    .poll(async () => (await fetch(`${url}/metrics`)).text())
    .toContain('ralph_jobs_total{kind="nothing",outcome="dead"} 1');
  const text = await (await fetch(`${url}/metrics`)).text();
  expect(text).toContain(
    'ralph_deliveries_total{status="202",answer="nothing listens to this event"} 1',
  );
  expect(text).toContain('ralph_deliveries_total{status="401",answer="the signature is wrong"} 1');
  expect(text).toMatch(/^ralph_queue_jobs\{state="dead"\} 1$/m);
});

import { describe, expect, test } from "vitest";
import type { Fact, FactOf, RunEvent } from "../../src/core/state/event.ts";
import { renderHtmlReport } from "../../src/views/html/report.ts";
import { renderJobSummary } from "../../src/views/job/job-summary.ts";
import { renderMetricsComment } from "../../src/views/pull-request/metrics-comment.ts";
import { renderPullBody } from "../../src/views/pull-request/pull-body.ts";
import { timelineEvents } from "../../src/views/session-files/timeline.ts";
import { renderReport } from "../../src/views/summary/report-markdown.ts";
import { summarize } from "../../src/views/summary/summary.ts";
import { renderSummary } from "../../src/views/summary/summary-text.ts";
import { describeEvent } from "../../src/views/terminal/event-line.ts";
import {
  agentEnd,
  criteriaEnd,
  gateEnd,
  reviewed,
  start,
  task,
  testsDone,
} from "../support/builders/session.ts";
import { realisticEvents } from "./session-files/realistic-run.ts";

const statuses = ["passed", "failed", "timed_out", "skipped", "none", "warned"] as const;
const baselines = ["passed", "failed", "skipped", "none"] as const;
const verdicts = ["proved", "held", "failed", "to_judge", "none"] as const;
const ends = ["passed", "failed", "blocked", "cancelled"] as const;

type Case = {
  status: (typeof statuses)[number];
  baseline: (typeof baselines)[number];
  verdict: (typeof verdicts)[number];
  end: (typeof ends)[number];
};

const cases: Case[] = statuses.flatMap((status) =>
  baselines.flatMap((baseline) =>
    verdicts.flatMap((verdict) => ends.map((end) => ({ status, baseline, verdict, end }))),
  ),
);

function factsOf({ status, baseline, verdict, end }: Case): Fact[] {
  return [
    start("T-001"),
    agentEnd("T-001"),
    testsDone("T-001"),
    ...gateFacts(status),
    ...(baseline === "none" ? [] : [baselineEnd(baseline)]),
    ...(verdict === "none" ? [] : [criteriaEnd("T-001", verdict)]),
    ...endOf(end),
  ];
}

/** `warned` is a red gate that only warns. */
function gateFacts(status: Case["status"]): Fact[] {
  if (status === "none") return [];
  if (status === "warned") return [gateEnd("T-001", { status: "failed", fatal: false })];
  return [gateEnd("T-001", { status })];
}

const baselineEnd = (status: FactOf<"baseline_end">["status"]): Fact => ({
  type: "baseline_end",
  ...{ gate: "test", key: "key-test", tree: "t0", status, fingerprints: [], ms: 5 },
});

function endOf(end: Case["end"]): Fact[] {
  const over = (reason: FactOf<"session_end">["reason"]): Fact => ({
    type: "session_end",
    reason,
    message: "It is over.",
  });
  switch (end) {
    case "passed":
      return [
        reviewed("T-001"),
        {
          type: "task_passed",
          ...{ task: "T-001", tree: "t1", parent: "c0", files: [], already_satisfied: false },
        },
        { type: "task_committed", task: "T-001", commit: "c1".repeat(20), tree: "t1+" },
        over("all_done"),
      ];
    case "failed":
      return [{ type: "task_failed", task: "T-001", message: "No pass." }, over("task_failed")];
    case "blocked":
      return [{ type: "task_blocked", task: "T-001", message: "No change." }, over("blocked")];
    case "cancelled":
      return [over("cancelled")];
  }
}

/** Every view of a session, by name. */
function viewsOf(told: ReturnType<typeof realisticEvents>): Record<string, string> {
  const events = told.map(({ event }) => event);
  const state = told.at(-1)?.state;
  if (!state) throw new Error("There is always a session_start.");
  const summary = summarize(state, events);
  const requested = { priority_item: "Work", description: "Do it." };
  const marker = { run: state.session.session_id, item: "f00d" };
  const lines = told.flatMap(({ event, state }) => timelineEvents(event, state));
  return {
    pull: renderPullBody({ summary, requested, marker }),
    html: renderHtmlReport(state, {
      events,
      journal: `9:${"ab".repeat(32)}`,
      isAlive: false,
      pictures: new Map(),
    }),
    job: renderJobSummary(summary, { sessionDir: ".ralph-session" }),
    comment: renderMetricsComment({ summary, run: state.session.session_id }),
    terminal: renderSummary(summary, { sessionDir: ".ralph-session" }),
    report: renderReport(state),
    timeline: lines.map((line) => JSON.stringify(line)).join("\n"),
    live: told.map(({ event, state }) => describeEvent(event, state)?.text ?? "").join("\n"),
  };
}

/** A sentence, and what must have happened where a view says it. */
type Claim = { says: RegExp; needs: (events: readonly RunEvent[]) => boolean };

const some =
  <Type extends RunEvent["type"]>(
    type: Type,
    isMeant: (event: FactOf<Type>) => boolean = () => true,
  ) =>
  (events: readonly RunEvent[]) =>
    events.some((event) => event.type === type && isMeant(event as RunEvent & FactOf<Type>));

const isRed = ({ status }: { status: string }) => status !== "passed" && status !== "skipped";
const ran = some("gate_end", ({ status }) => status !== "skipped");
const ranFatal = some("gate_end", ({ status, fatal }) => status !== "skipped" && fatal !== false);

const claims: Claim[] = [
  { says: /red, on the start commit too/, needs: some("baseline_end", isRed) },
  { says: /green on the start commit/, needs: some("baseline_end", (event) => !isRed(event)) },
  { says: /\d+ gates? red/, needs: some("gate_end", isRed) },
  { says: /"event":"gate_pass"/, needs: some("gate_end", ({ status }) => status === "passed") },
  { says: /"event":"gate_fail"/, needs: some("gate_end", isRed) },
  {
    says: /"event":"checksum_verified"/,
    needs: some("session_resume", (event) => event.status_verified === true),
  },
  { says: /no gate ran\b/i, needs: (events) => !ran(events) },
  { says: /no fatal gate ran\b/i, needs: (events) => ran(events) && !ranFatal(events) },
  {
    says: /Gates \| [1-9]\d* passed/,
    needs: some("gate_end", ({ status }) => status === "passed"),
  },
  { says: /\d+ skipped/, needs: some("gate_end", ({ status }) => status === "skipped") },
  {
    says: /approved by the reviewer/,
    needs: some(
      "agent_end",
      ({ signal }) => signal.kind === "valid" && signal.name === "review-approved",
    ),
  },
  {
    says: /held before the task/,
    needs: some("criteria_end", ({ results }) => results.some(({ verdict }) => verdict === "held")),
  },
  {
    says: /execution, in place/,
    needs: some("criteria_end", ({ results }) =>
      results.some(({ verdict }) => verdict === "proved"),
    ),
  },
  { says: /[Rr]efuted|Proved in a clean room/, needs: () => false },
  { says: /Proved in place/, needs: some("task_passed") },
  { says: /1 of 1 tasks? passed|1\/1 tasks passed/, needs: some("task_passed") },
];

/** Sentences of a session's views without the event they need. */
function lies(each: Case): string[] {
  const told = realisticEvents([task("T-001")], factsOf(each));
  const events = told.map(({ event }) => event);
  const untrue = claims.filter(({ needs }) => !needs(events));
  return Object.entries(viewsOf(told)).flatMap(([view, text]) =>
    untrue.flatMap(({ says }) => {
      const [words] = says.exec(text) ?? [];
      return words === undefined ? [] : [`${view} says ${words}: ${JSON.stringify(each)}`];
    }),
  );
}

describe("what any view says of gates, criteria and outcomes has happened", () => {
  test.each(ends)("where the task ends as %s", (wanted) => {
    expect(cases.filter(({ end }) => end === wanted).flatMap(lies)).toEqual([]);
  });

  test("and each of these sentences is said somewhere", () => {
    const texts = cases.map((each) =>
      Object.values(viewsOf(realisticEvents([task("T-001")], factsOf(each)))).join("\n"),
    );
    const never = claims.filter(({ says }) => !texts.some((text) => says.test(text)));
    expect(never.map(({ says }) => String(says))).toEqual([
      String(/"event":"checksum_verified"/),
      String(/[Rr]efuted|Proved in a clean room/),
    ]);
  });
});

test.each([
  ["skipped", /no gate ran/i],
  ["none", /no gate ran/i],
  ["warned", /no fatal gate ran/i],
] as const)(
  "a pass with gates that are %s is named in every view of the outcome",
  (status, says) => {
    const told = realisticEvents(
      [task("T-001")],
      factsOf({ status, baseline: "none", verdict: "to_judge", end: "passed" }),
    );
    const { timeline: _, live: __, ...outcomes } = viewsOf(told);
    for (const text of Object.values(outcomes)) expect(text).toMatch(says);
    expect(outcomes.job).not.toContain("## ✓");
  },
);

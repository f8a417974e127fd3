import type { Fact, FactOf } from "../../src/core/state/event.ts";
import { renderHtmlReport } from "../../src/views/html/report.ts";
import { renderJobSummary } from "../../src/views/job/job-summary.ts";
import { renderMetricsComment } from "../../src/views/pull-request/metrics-comment.ts";
import { renderPullBody } from "../../src/views/pull-request/pull-body.ts";
import { timelineEvents } from "../../src/views/session-files/timeline.ts";
import { renderReport } from "../../src/views/summary/report-markdown.ts";
import { summarize } from "../../src/views/summary/summary.ts";
import { renderSummary } from "../../src/views/summary/summary-text.ts";
import { describeEvent } from "../../src/views/terminal/event-line.ts";
import { renderOverlay, sessionMode } from "../../src/views/terminal/overlay.ts";
import { liveStatusOf } from "../../src/views/terminal/status.ts";
import { renderStatus, renderStatusLine } from "../../src/views/terminal/status-text.ts";
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
export const ends = ["passed", "failed", "blocked", "cancelled"] as const;

export type Case = {
  status: (typeof statuses)[number];
  baseline: (typeof baselines)[number];
  verdict: (typeof verdicts)[number];
  end: (typeof ends)[number];
};

export const cases: Case[] = statuses.flatMap((status) =>
  baselines.flatMap((baseline) =>
    verdicts.flatMap((verdict) => ends.map((end) => ({ status, baseline, verdict, end }))),
  ),
);

export function factsOf({ status, baseline, verdict, end }: Case): Fact[] {
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

const same = (text: string) => text;
const plainStyle = { good: same, bad: same, wait: same, plain: same, faint: same };

/** Every event of a session with one task, with the state after it. */
export type Told = ReturnType<typeof realisticEvents>;
export const toldOf = (each: Case): Told => realisticEvents([task("T-001")], factsOf(each));

/** Every view of a session, by name. */
export function viewsOf(told: Told): Record<string, string> {
  const events = told.map(({ event }) => event);
  const { event: last, state } = told.at(-1) ?? {};
  if (!last || !state) throw new Error("There is always a session_start.");
  const summary = summarize(state, events);
  const status = liveStatusOf(state, last, false);
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
    status: renderStatus(status, {
      now: Date.parse(state.ts),
      isWatched: false,
      style: plainStyle,
    }),
    line: renderStatusLine(status),
    overlay: renderOverlay([sessionMode(state)]),
    live: told.map(({ event, state }) => describeEvent(event, state)?.text ?? "").join("\n"),
  };
}

const html = /<(style|script)[\s\S]*?<\/\1>|<[^>]+>/g;

/** The parts of what a view says, without marks, figures of their own and the punctuation between them. */
export function fragmentsOf(view: string, text: string): string[] {
  const plain = text.replace(view === "html" ? html : /"\w+":(?! *")/g, "\n");
  return plain
    .split(/[\n|;,:()"{}[\]]|<[^>]+>|\. |\.$| - /m)
    .map((part) => part.replace(/^[\s*#>·✓✗!–○`.-]+|[\s*`.]+$/g, ""))
    .filter((part) => /\p{L}/u.test(part));
}

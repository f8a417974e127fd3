import { apply } from "../../../src/core/state/apply.ts";
import type { Fact, RunEvent, RunTask } from "../../../src/core/state/event.ts";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import {
  agentEnd,
  failed,
  gateEnd,
  sessionStart,
  start,
  task,
} from "../../support/builders/session.ts";

/** A fact and how long it took, seconds. */
type Step = [fact: Fact, seconds: number];

const output = { sha256: "d".repeat(64), bytes: 10 };
const versions = { ralph: "0.1.0", node: "24.21.0", git: "2.39.5", claude: "2.1.0" };
const commit = (number: number) => number.toString(16).padStart(40, "c0ffee");
const tree = (number: number, iteration = 1) => `${number}${iteration}`.padStart(40, "ab");

/** A session of many tasks with calls, gates, failures and costs; the same each time. */
export function longSession(count: number): { state: SessionState; events: RunEvent[] } {
  const tasks = Array.from({ length: count }, (_, index) => taskOf(index + 1));
  const start = { commit: commit(0), tree: tree(0) };
  const steps = tasks.flatMap((_, index) => stepsOf(index + 1));
  const ids = tasks.filter((_, index) => endOf(index + 1) !== "passed").map(({ id }) => id);
  const facts: Step[] = [
    [sessionStart(tasks, { start, versions, project: "Shop", description: "Sell more" }), 0],
    [{ type: "setup_end", name: "npm ci", status: "passed", ms: 12_000, output }, 12],
    ...steps,
    [
      {
        type: "session_end",
        reason: ids.length > 0 ? "task_failed" : "all_done",
        message: ids.length > 0 ? `Failed: ${ids.join(", ")}.` : "All tasks have passed.",
      },
      1,
    ],
  ];
  return told(facts);
}

/** Dates the facts, numbers them and adds them up. */
export function told(facts: readonly Step[]): { state: SessionState; events: RunEvent[] } {
  let at = Date.parse("2026-01-25T14:30:52.000Z");
  let state: SessionState | undefined;
  const events = facts.map(([fact, seconds], index) => {
    at += Math.max(1, seconds * 1000);
    const ts = new Date(at).toISOString();
    const event: RunEvent = { seq: index + 1, ts, prev: "0".repeat(64), ...fact };
    state = apply(state, event);
    return event;
  });
  if (!state) throw new Error("A session has a first fact.");
  return { state, events };
}

const idOf = (number: number) => `T-${String(number).padStart(3, "0")}`;

const taskOf = (number: number): RunTask =>
  task(idOf(number), {
    title: `Add the endpoint number ${number} with its validation and its documentation`,
    description: "As a customer I want to see what I have ordered, so that I can order it again.",
    acceptanceCriteria: [
      "`npm test` succeeds",
      "src/orders.ts exists",
      "Errors tell the customer what to do next",
    ],
  });

function endOf(number: number): "passed" | "failed" | "blocked" {
  if (number % 97 === 0) return "failed";
  return number % 151 === 0 ? "blocked" : "passed";
}

function stepsOf(number: number): Step[] {
  const id = idOf(number);
  const end = endOf(number);
  const rounds = end !== "passed" ? 3 : number % 7 === 0 ? 2 : 1;
  const iterations = Array.from({ length: rounds }, (_, index) =>
    iterationOf(number, { iteration: index + 1, isGood: end === "passed" && index + 1 === rounds }),
  );
  const message = "Gate test failed in 3 iterations.";
  const ending: Step[] =
    end === "passed"
      ? passed(number, rounds)
      : [
          [
            {
              type: end === "failed" ? "task_failed" : "task_blocked",
              task: id,
              message,
              kept: tree(number, rounds),
            },
            1,
          ],
        ];
  return [[start(id, tree(number, 0)), 1], ...iterations.flat(), ...ending];
}

function iterationOf(
  number: number,
  { iteration, isGood }: { iteration: number; isGood: boolean },
): Step[] {
  const id = idOf(number);
  const now = tree(number, iteration);
  const work = 40 + ((number * 37) % 200);
  const status = isGood ? "passed" : "failed";
  const steps: Step[] = [
    ...call(id, { role: "implementation", iteration, seconds: work, tree: now, name: "task-done" }),
    ...call(id, {
      role: "test_writing",
      iteration,
      seconds: work / 2,
      tree: now,
      name: "tests-done",
    }),
    [gateEnd(id, { tree: now, status, ms: 9000, detail: "expected 3, got 2", output }), 9],
  ];
  if (!isGood) {
    const feedback = `Gate "test" failed.\n${"  at Object.run (src/orders.ts:12:3)\n".repeat(8)}expected 3, got 2`;
    return [...steps, [failed(id, "gate", { iteration, feedback, tree: now }), 1]];
  }
  return [
    ...steps,
    [criteriaOf(id, now), 2],
    ...call(id, { role: "review", iteration, seconds: 20, tree: now, name: "review-approved" }),
  ];
}

type Call = {
  role: "implementation" | "test_writing" | "review";
  iteration: number;
  seconds: number;
  tree: string;
  name: string;
};

function call(id: string, { role, iteration, seconds, tree, name }: Call): Step[] {
  const begun = { task: id, role, iteration, driver: "claude", model: "opus", prompt: output };
  const usage = { cost_usd: seconds / 1000, turns: 7, input_tokens: 21_000, output_tokens: 3100 };
  const signal = { kind: "valid", name, body: "## Changes\n- did it" } as const;
  return [
    [{ type: "agent_start", ...begun }, 0],
    [agentEnd(id, { role, iteration, tree, usage, signal, ms: seconds * 1000, output }), seconds],
  ];
}

function criteriaOf(id: string, now: string): Fact {
  const texts = taskOf(1).acceptanceCriteria;
  const verdicts = ["proved", "proved", "to_judge"] as const;
  const kinds = ["command", "file-exists", "judged"] as const;
  const details = ["exit code 0 after 4.1 s", "src/orders.ts exists", ""];
  const results = texts.map((text, index) => ({
    number: index + 1,
    text,
    kind: kinds[index] ?? "judged",
    verdict: verdicts[index] ?? "to_judge",
    detail: details[index] ?? "",
    ...(index === 0 && { evidence: output }),
  }));
  return { type: "criteria_end", task: id, tree: now, results };
}

function passed(number: number, rounds: number): Step[] {
  const id = idOf(number);
  const now = tree(number, rounds);
  const files = [
    { status: "A", path: `src/orders/endpoint-${number}.ts` },
    { status: "M", path: "src/orders.ts" },
    { status: "A", path: `test/orders/endpoint-${number}.test.ts` },
  ];
  const parent = commit(number - 1);
  return [
    [{ type: "task_passed", task: id, tree: now, parent, files, already_satisfied: false }, 1],
    [{ type: "task_committed", task: id, commit: commit(number), tree: `${now}+` }, 1],
  ];
}

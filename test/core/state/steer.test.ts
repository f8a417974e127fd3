import { expect, test } from "vitest";
import { withinBudget } from "../../../src/core/decide/budget.ts";
import { nextSteps } from "../../../src/core/decide/next-steps.ts";
import { readyTasks, selectedTasks } from "../../../src/core/decide/task-order.ts";
import type { Fact, FactOf } from "../../../src/core/state/event.ts";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import {
  describeLeftOut,
  isAllDone,
  isHeard,
  refusalReason,
} from "../../../src/core/state/steer.ts";
import type { SteeringCommand } from "../../../src/core/state/steering-command.ts";
import { outcomeOf, sessionStatusOf } from "../../../src/views/summary/outcome.ts";
import { passing, policy, runOf, start, task } from "../../support/builders/session.ts";

const tasks = [task("T-001"), task("T-002"), task("T-003", { dependsOn: ["T-002"] })];
const ada = { by: "ada", comment: 7 };
const steered = (order: SteeringCommand, refused?: string): FactOf<"steered"> => ({
  ...{ type: "steered", order },
  ...(refused !== undefined && { refused }),
});
const skip = (id: string) => steered({ verb: "skip", task: id, ...ada });
const retry = (id?: string) =>
  steered({ verb: "retry", by: "ada", comment: 8, ...(id !== undefined && { task: id }) });
const resumed: Fact = { type: "session_resume", sandbox: "off" };
const gaveUp = (id: string): Fact[] => [
  start(id),
  { type: "task_failed", task: id, message: "no" },
];
const end = (state: SessionState) => nextSteps(state, policy());
const states = (state: SessionState) => state.tasks.map(({ state }) => state);

test("a task that is skipped is left out with what cannot be done without it, and the rest is not all of it", () => {
  const facts = [skip("T-002"), ...passing("T-001")];
  const state = runOf(tasks, facts);
  expect(selectedTasks(state).map(({ task: { id } }) => id)).toEqual(["T-001"]);
  const message = "The task passed. Left out: T-002 (skipped by ada), T-003 (needs T-002).";
  expect(end(state)).toEqual([{ kind: "end", reason: "all_done", message }]);
  const ended = runOf(tasks, [...facts, { type: "session_end", reason: "all_done", message }]);
  expect([outcomeOf(ended), sessionStatusOf(ended), isAllDone(ended)]).toEqual([
    "partial",
    "aborted",
    false,
  ]);
});

test("a failed task that is skipped blocks no other task any more", () => {
  const failed = [...gaveUp("T-001")];
  expect(readyTasks(runOf(tasks, failed), false)).toEqual([]);
  const state = runOf(tasks, [...failed, skip("T-001"), resumed]);
  expect(readyTasks(state, false).map(({ task: { id } }) => id)).toEqual(["T-002"]);
});

test("with nothing else to do a session says what is left out", () => {
  const state = runOf([task("T-001")], [skip("T-001")]);
  expect(end(state)).toMatchObject([
    { reason: "nothing_to_do", message: expect.stringContaining("T-001 (skipped by ada)") },
  ]);
});

test("a passed task cannot be skipped, and a missing one is reported with the tasks that exist", () => {
  const state = runOf(tasks, passing("T-001"));
  const refused = (id: string) => refusalReason(state, skip(id).order);
  expect(refused("T-001")).toBe("`/ralph skip T-001` changes nothing: T-001 has passed.");
  expect(refused("T-009")).toMatch(/no task T-009\. The list has T-001, T-002, T-003\./);
  expect(refused("T-002")).toBeUndefined();
  expect(refused("constructor")).toMatch(/no task/);
});

test("what was refused is a warning and nothing else", () => {
  const state = runOf(tasks, [steered({ verb: "skip", task: "T-009", ...ada }, "no such task")]);
  expect(state.warnings).toEqual(["no such task"]);
  expect(describeLeftOut(state)).toBe("");
});

test("without a name every task that gave up starts again; with one only that task does, with all its iterations", () => {
  const given = [...gaveUp("T-001"), ...gaveUp("T-002")];
  expect(states(runOf(tasks, [...given, retry(), resumed]))).toEqual(Array(3).fill("pending"));
  const one = runOf(tasks, [...given, retry("T-002"), resumed]);
  expect(states(one)).toEqual(["failed", "pending", "pending"]);
  expect(one.tasks[1]).toMatchObject({ iteration: 1, repeats: 0 });
  expect(one.steering).not.toHaveProperty("again");
  expect(states(runOf(tasks, [...given, retry("T-002"), resumed, resumed]))[0]).toBe("pending");
});

test("where the named task does not exist, no other one starts again instead", () => {
  const refused = steered({ verb: "retry", task: "T-033", by: "ada", comment: 8 }, "no such task");
  expect(states(runOf(tasks, [...gaveUp("T-001"), refused, resumed]))[0]).toBe("failed");
});

test("a task that is to be tried again is not skipped any more", () => {
  expect(describeLeftOut(runOf(tasks, [skip("T-002"), retry("T-002"), resumed]))).toBe("");
});

test("a task that waits for one that gave up continues with it", () => {
  const state = runOf(tasks, [...gaveUp("T-001"), retry("T-002"), resumed]);
  expect(states(state)).toEqual(Array(3).fill("pending"));
});

test("what is said about money is for the session in all, and above the configuration", () => {
  const spending = passing("T-001").map((fact) =>
    fact.type === "agent_end" ? { ...fact, usage: { cost_usd: 1 } } : fact,
  );
  const step = { kind: "start-task", task: "T-002" } as const;
  const budgets = { ...policy().budgets, session: 3 };
  const state = runOf(tasks, spending);
  expect(withinBudget(state, budgets, step)).toMatchObject({ kind: "end", reason: "budget" });
  const more = runOf(tasks, [...spending, steered({ verb: "budget", usd: 10, ...ada })]);
  expect(withinBudget(more, budgets, step)).toEqual(step);
  const less = runOf(tasks, [...spending, steered({ verb: "budget", usd: 0, ...ada })]);
  expect(withinBudget(less, policy().budgets, step)).toMatchObject({ reason: "budget" });
});

test("a comment is heard once, and once more when it says something else", () => {
  const hint = { verb: "hint", text: "Use tabs.", ...ada } as const;
  const state = runOf(tasks, [steered(hint)]);
  expect(isHeard(state, { by: "ada", comment: 7, text: "Use tabs.", verb: "hint" })).toBe(true);
  const edited = { ...hint, text: "Use spaces." };
  expect(isHeard(state, edited)).toBe(false);
  const again = runOf(tasks, [steered(hint), steered(edited)]);
  expect(again.steering.hints.map(({ text }) => text)).toEqual(["Use spaces."]);
});

test("a comment that was edited leaves out what it names now, and nothing else", () => {
  const facts = [skip("T-001"), skip("T-003")];
  expect(describeLeftOut(runOf(tasks, facts))).toBe("T-003 (skipped by ada)");
  const hint = steered({ verb: "hint", text: "Use the parser.", ...ada });
  const changed = runOf(tasks, [...facts, hint]);
  expect(describeLeftOut(changed)).toBe("");
  expect(runOf(tasks, [hint, skip("T-003")]).steering.hints).toEqual([]);
});

import { expect, test } from "vitest";
import { thorough } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { isRunning } from "../support/project/process-life.ts";
import { createProject } from "../support/project/project.ts";

const oneTask = [task("T-001")];

test("an agent that always fails is called three times, with growing pauses, then exit 8", async () => {
  await using project = await createProject({ agent: "work; echo 'no licence' >&2; exit 1" });
  const { exitCode, state, facts } = await project.run();
  expect(exitCode).toBe(8);
  expect(state.end?.message).toMatch(/failed 3 times in a row.*exit code 1: no licence/);
  expect(facts("agent_start")).toHaveLength(3);
  const waits = facts("wait").map(({ because, ms }) => [because, ms >= 1000, ms >= 2000]);
  expect(waits).toEqual([
    ["backoff", true, false],
    ["backoff", true, true],
  ]);
  expect(facts("task_passed")).toEqual([]);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("an agent that answered once and then always fails opens the breaker: exit 20", async () => {
  const agent = { test_writing: "exit 1" };
  await using project = await createProject({ agent });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(20);
  expect(facts("agent_start").map(({ role }) => role)).toEqual([
    "implementation",
    ...Array.from({ length: 3 }, () => "test_writing"),
  ]);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("an agent that fails twice and then works again passes", async () => {
  const agent = { implementation: `if [ "$attempt" -lt 3 ]; then exit 1; fi; honest` };
  await using project = await createProject({ agent, tasks: oneTask });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("wait")).toHaveLength(2);
});

test("a claim does not count when its agent exits with an error", async () => {
  await using project = await createProject({ agent: "honest; exit 1" });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(8);
  expect(facts("agent_end").map(({ signal }) => signal.kind)).toEqual(
    Array.from({ length: 3 }, () => "missing"),
  );
});

/** `3pm`, so many hours from now, UTC: how the notice states the reset. */
function hourIn(hours: number): string {
  const hour = new Date(Date.now() + hours * 3_600_000).getUTCHours();
  return `${hour % 12 || 12}${hour < 12 ? "am" : "pm"}`;
}

test("a usage limit that ends in nine hours checkpoints at once, and states the time: exit 23", async () => {
  const notice = `You've hit your limit · resets ${hourIn(9)} (UTC)`;
  await using project = await createProject({ agent: `echo "${notice}"; exit 1` });
  const { exitCode, state, facts, stdout } = await project.run();
  expect(exitCode).toBe(23);
  const [{ outcome } = { outcome: undefined }] = facts("agent_end");
  const resetsAt = outcome?.kind === "limited" ? (outcome.resets_at ?? "") : "";
  const hoursAway = (Date.parse(resetsAt) - Date.now()) / 3_600_000;
  expect(hoursAway).toBeGreaterThan(7.9);
  expect(hoursAway).toBeLessThan(9.1);
  expect(state.end?.message).toContain(resetsAt.slice(0, 16));
  expect(stdout).toContain(resetsAt.slice(0, 16));
  expect(facts("agent_start")).toHaveLength(1);
  expect(facts("wait")).toEqual([]);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("a usage limit without a time is waited for, and costs no iteration", async () => {
  const agent = {
    implementation: `if [ "$attempt" = 1 ]; then echo "usage limit reached" >&2; exit 1; fi; honest`,
  };
  await using project = await createProject({ agent, tasks: oneTask });
  const { exitCode, state, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("wait").map(({ because }) => because)).toEqual(["limit"]);
  expect(state.tasks[0]?.iterations).toBe(1);
});

test("an agent that is silent for too long is ended", async () => {
  const options = { limits: { idleMs: 150 }, config: { breaker: { max_consecutive_failures: 1 } } };
  await using project = await createProject({ ...options, agent: "work; sleep 60" });
  const { exitCode, state } = await project.run();
  expect(exitCode).toBe(8);
  expect(state.end?.message).toContain("silent for too long");
  expect(project.git("status", "--porcelain")).toBe("");
});

test("an agent that talks for ever runs out of time", async () => {
  const options = {
    limits: { timeoutMs: 300 },
    config: { breaker: { max_consecutive_failures: 1 } },
  };
  const agent = "while :; do echo talk; sleep 0.05; done";
  await using project = await createProject({ ...options, agent });
  const { exitCode, state } = await project.run();
  expect(exitCode).toBe(8);
  expect(state.end?.message).toContain("ran out of time");
});

thorough("a flood is cut in the evidence, and the claim at its end counts", async () => {
  const flood = "head -c 30000000 /dev/zero | tr '\\0' x; echo; honest";
  await using project = await createProject({ tasks: oneTask, agent: { implementation: flood } });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  const [first] = facts("agent_end");
  expect(first?.output.bytes).toBeGreaterThan(30_000_000);
  expect(project.evidence(first?.output).length).toBeLessThan(4 * 1024 * 1024);
});

test("a grandchild that holds the output does not hold the call, and does not survive it", async () => {
  const agent = { implementation: `setsid sleep 1000 & echo $! >"$(dirname "$0")/pid"; honest` };
  await using project = await createProject({ tasks: oneTask, agent });
  const { exitCode } = await project.run();
  expect(exitCode).toBe(0);
  const pid = Number(project.read("../bin/pid"));
  expect(pid).toBeGreaterThan(0);
  expect(isRunning(pid)).toBe(false);
});

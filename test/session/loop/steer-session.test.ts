import { expect, test } from "vitest";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import type { SteeringCommand } from "../../../src/core/state/steering-command.ts";
import { runProject } from "../../../src/entry/run-project.ts";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project } from "../../support/project/project.ts";

const ada = { by: "ada" };
const tasks = ["T-001", "T-002", "T-003"].map((id) =>
  task(id, { requiresTests: false, ...(id === "T-003" && { dependsOn: [] }) }),
);
const settings = { driver: "scripted", command: "scenario.json" };
const roles = { implementation: settings, test_writing: settings, review: settings };
// Scripted agents start faster with the variable.
const agents = { ...roles, env: ["NODE_COMPILE_CACHE"] };
const work = [{ run: "mkdir -p src && echo done >src/$RALPH_TASK_ID.txt" }];

/** Every call costs half a dollar; `calls` are exceptions. */
function createSteered(calls: object[] = []): Promise<Project> {
  const costs = { cost_usd: 0.5 };
  const defaults = {
    implementation: { do: work, say: "{done}", ...costs },
    review: { say: "{approved}", ...costs },
  };
  const files = { "scenario.json": JSON.stringify({ stream: true, calls, defaults }) };
  const env = { SOME_TOKEN: secret };
  return createProject({ tasks, agents, files, env, config: { limits: { max_iterations: 2 } } });
}

const secret = "hunter2-hunter2-hunter2";
/** As often as a task is tried. */
const failing = (id: string) =>
  Array(2).fill({ role: "implementation", task: id, say: "I could not.", cost_usd: 0.5 });

type Told = { orders: SteeringCommand[]; dropped?: string[]; resume?: boolean };

/** A run that is told of comments. */
async function runTold(
  { system, root }: Project,
  { orders, dropped, resume }: Told,
): Promise<SessionState> {
  const request = {
    ...{ directory: root, config: undefined, sessionDir: undefined },
    options: { ...(resume && { resume }), keepGoing: true },
    steering: { orders, dropped },
  };
  const outcome = await runProject(system, request, {
    live: { event: () => undefined },
    started: () => undefined,
    cancel: new AbortController().signal,
  });
  if (outcome.kind !== "ended") throw new Error("It was only planned.");
  return outcome.state;
}

const goOn = (project: Project, orders: SteeringCommand[]) =>
  runTold(project, { orders, resume: true });
const states = (state: SessionState) => state.tasks.map(({ state }) => state);
const skip = (id: string, comment: number): SteeringCommand => ({
  verb: "skip",
  task: id,
  comment,
  ...ada,
});
const calls = (state: SessionState) => state.tasks.map((each) => each.calls.implementation ?? 0);

test("comments from before a session begins are read, reported and journaled once, and can be taken back", async () => {
  await using project = await createSteered();
  const orders: SteeringCommand[] = [
    skip("T-002", 1),
    skip("T-009", 2),
    { verb: "hint", text: `Use tabs, not ${secret}.`, comment: 3, ...ada },
  ];
  const dropped = ["Comment 4 is ignored: it was deleted."];
  const state = await runTold(project, { orders, dropped });
  expect(states(state)).toEqual(["passed", "pending", "passed"]);
  expect(state.end).toMatchObject({
    reason: "all_done",
    message: "All 2 tasks passed. Left out: T-002 (skipped by ada).",
  });
  expect(state.warnings).toEqual(
    expect.arrayContaining([
      "`/ralph skip T-009` changes nothing: there is no task T-009. The list has T-001, T-002, T-003.",
      ...dropped,
    ]),
  );
  const again = await goOn(project, orders);
  expect(calls(again)).toEqual([1, 0, 1]);
  const { facts, prompts } = await project.run("--resume");
  expect(facts("steered")).toHaveLength(3);
  for (const role of ["implementation", "review"]) {
    expect(prompts(role)[0]).toMatch(/hint of ada\]\nUse tabs, not \S+\.\n\[end of/);
    expect(prompts(role).join()).not.toContain(secret);
  }
  expect((await project.ralph("audit")).exitCode).toBe(0);
  expect((await project.ralph("report")).stdout).toContain("T-002 (skipped by ada)");
  expect(JSON.parse(project.read(".ralph-session/session.json"))).toMatchObject({
    status: "aborted",
  });
  const whole = await goOn(project, [
    ...orders,
    { verb: "retry", task: "T-002", comment: 5, ...ada },
  ]);
  expect(states(whole)).toEqual(["passed", "passed", "passed"]);
  expect(whole.end).toMatchObject({ reason: "all_done", message: "All 3 tasks passed." });
  expect((await project.ralph("audit")).exitCode).toBe(0);
});

thorough(
  "of two failed tasks the named one starts again, with all its iterations; then both do",
  async () => {
    await using project = await createSteered([...failing("T-001"), ...failing("T-003")]);
    const first = await runTold(project, { orders: [] });
    expect(states(first)).toEqual(["failed", "passed", "failed"]);
    const one = await goOn(project, [{ verb: "retry", task: "T-003", comment: 1, ...ada }]);
    expect(states(one)).toEqual(["failed", "passed", "passed"]);
    expect(calls(one)).toEqual([2, 1, 3]);
    expect(one.end).toMatchObject({ reason: "task_failed", message: "Failed: T-001." });
    const all = await goOn(project, [{ verb: "retry", comment: 2, ...ada }]);
    expect(all.end?.reason).toBe("all_done");
  },
);

thorough("a comment about money holds from part to part, until another one says more", async () => {
  await using project = await createSteered();
  const orders: SteeringCommand[] = [{ verb: "budget", usd: 1, comment: 1, ...ada }];
  const stopped = await runTold(project, { orders });
  expect(stopped.end).toMatchObject({
    reason: "budget",
    message: expect.stringContaining("$1.00 of $1.00 for this session"),
  });
  expect((await project.run("--resume")).exitCode).toBe(21);
  const more = await goOn(project, [...orders, { verb: "budget", usd: 2, comment: 2, ...ada }]);
  expect(more.usage.cost_usd).toBe(2);
  expect((await project.run("--resume", "--budget", "9")).exitCode).toBe(0);
});

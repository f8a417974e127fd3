import { expect, test } from "vitest";
import { thorough } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { createProject, type Outcome, type Project } from "../support/project/project.ts";

const tasks = ["T-001", "T-002", "T-003"].map((id) => task(id, { requiresTests: false }));
const work = [{ run: 'mkdir -p src && echo "$RALPH_ATTEMPT" >>"src/$RALPH_TASK_ID.txt"' }];
const settings = { driver: "scripted", command: "scenario.json" };
const roles = { implementation: settings, test_writing: settings, review: settings };
// Scripted agents start faster with the variable.
const agents = { ...roles, env: ["NODE_COMPILE_CACHE"] };

/** Every implementation costs half a dollar and every review a quarter; `calls` are exceptions. */
function projectWith(limits: object, calls: object[] = [], env = {}): Promise<Project> {
  const scenario = {
    stream: true,
    calls,
    defaults: {
      implementation: { do: work, say: "{done}", cost_usd: 0.5 },
      review: { say: "{approved}", cost_usd: 0.25 },
    },
  };
  const files = { "scenario.json": JSON.stringify(scenario) };
  return createProject({ tasks, agents, files, env, config: { limits } });
}

const day = 24 * 3_600_000;
/** Sessions of one day must not be caught by midnight. */
const untilNoon = (now: number) => day - (now % day) + day / 2;

const called = ({ facts }: Outcome) =>
  facts("agent_start").map((call) => `${call.task} ${call.role}`);
const both = (id: string) => [`${id} implementation`, `${id} review`];

thorough(
  "a used-up budget ends the session with its spending, and a larger one continues it: exit 21",
  async () => {
    await using project = await projectWith({ budget_usd: 1 });
    const stopped = await project.run();
    expect(stopped.exitCode).toBe(21);
    expect(called(stopped)).toEqual([...both("T-001"), "T-002 implementation"]);
    expect(stopped.stdout).toContain(
      "partial (exit code 21) - Budget: $1.25 of $1.00 for this session is spent",
    );
    expect(stopped.stdout).toContain(
      "Cost     implementation $1.00 (2 calls), review $0.25 (1 call)",
    );
    expect(project.commits()).toEqual(["feat(T-001): Title of T-001"]);
    expect(project.git("status", "--porcelain")).toBe("");
    expect((await project.run("--resume")).exitCode).toBe(21);
    const resumed = await project.run("--resume", "--budget", "9");
    expect(resumed.exitCode).toBe(0);
    expect(resumed.state.usage.cost_usd).toBe(2.75);
  },
);

test("from nine tenths on the task under way still lands, and none is started", async () => {
  await using project = await projectWith({ budget_usd: 0.8 });
  const outcome = await project.run("--json");
  expect(outcome.exitCode).toBe(21);
  expect(called(outcome)).toEqual(both("T-001"));
  expect(JSON.parse(outcome.stdout)).toMatchObject({
    status: "partial",
    stop_reason: "budget",
    tasks_completed: 1,
    cost_usd: 0.75,
    usage_by_role: {
      implementation: { calls: 1, cost_usd: 0.5 },
      review: { calls: 1, cost_usd: 0.25 },
    },
  });
  expect(outcome.state.end?.message).toContain("no new task or iteration is started");
});

thorough(
  "from nine tenths on a rejected task gets no new iteration; its work is kept",
  async () => {
    const calls = [{ role: "review", say: "{rejected}", cost_usd: 0.25 }];
    await using project = await projectWith({ budget_usd: 0.8 }, calls);
    const outcome = await project.run();
    expect(outcome.exitCode).toBe(21);
    expect(called(outcome)).toEqual(both("T-001"));
    expect(outcome.facts("iteration_failed")).toHaveLength(1);
    expect(outcome.facts("work_kept")).toHaveLength(1);
    expect(project.git("status", "--porcelain")).toBe("");
  },
);

thorough("a task that has used up its own budget is blocked, and the others continue", async () => {
  const calls = [{ task: "T-001", role: "implementation", do: work, say: "{done}", cost_usd: 2 }];
  await using project = await projectWith({ budget_usd_per_task: 1 }, calls);
  const independent = await project.run("--keep-going");
  expect(independent.exitCode).toBe(3);
  expect(called(independent)).toEqual(["T-001 implementation", ...both("T-002"), ...both("T-003")]);
  const [blocked] = independent.facts("task_blocked");
  expect(blocked).toMatchObject({ task: "T-001", kept: expect.any(String) });
  expect(blocked?.message).toContain("$2.00 of $1.00 for one task is spent");
});

thorough("a day's budget holds over sessions, also when the first of them is removed", async () => {
  await using project = await projectWith({ budget_usd_per_day: 1.6 });
  const { clock } = project.system;
  await clock.sleep(untilNoon(clock.now()));
  const first = await project.run("--task", "T-001");
  expect(first.exitCode).toBe(0);
  // Sessions are told apart by the second they start in; nobody waits for it here.
  await clock.sleep(1000);
  const second = await project.run();
  expect(second.exitCode).toBe(21);
  expect(called(second)).toEqual(both("T-002"));
  expect(second.state.end?.message).toMatch(/\$1\.50 of \$1\.60 for \d{4}-\d\d-\d\d \(UTC\)/);
  expect((await project.ralph("clean", "--keep", "0")).exitCode).toBe(0);
  await clock.sleep(1000);
  const third = await project.run();
  expect(third.exitCode).toBe(21);
  expect(called(third)).toEqual([]);
  await clock.sleep(day);
  const nextDay = await project.run("--resume");
  expect(nextDay.exitCode).toBe(0);
  expect(called(nextDay)).toEqual(both("T-003"));
});

test("a budget of nothing starts nothing, by option or variable: exit 21", async () => {
  await using project = await projectWith({});
  const outcome = await project.run("--budget", "0");
  expect(outcome.exitCode).toBe(21);
  expect(called(outcome)).toEqual([]);
  await using other = await projectWith({}, [], { RALPH_BUDGET_USD: "0" });
  expect((await other.run()).exitCode).toBe(21);
});

test("an agent that turns out to report no cost is called once under a budget: exit 21", async () => {
  const scenario = { defaults: { implementation: { do: work, say: "{done}" } } };
  const files = { "scenario.json": JSON.stringify(scenario) };
  await using project = await createProject({ tasks, agents, files });
  const outcome = await project.run("--budget", "5");
  expect(outcome.exitCode).toBe(21);
  expect(called(outcome)).toEqual(["T-001 implementation"]);
  expect(outcome.state.end?.message).toContain("reported no cost");
});

/** The claude program's last event, with tokens and without a cost. */
const tokensOnly = String.raw`work
claim=$(claim | sed 's/"/\\"/g' | awk '{ printf "%s\\n", $0 }')
printf '{"type":"result","is_error":false,"result":"%s",' "$claim"
printf '"usage":{"input_tokens":100000,"output_tokens":20000}}\n'`;

test("tokens are priced when a program reports no cost, by model or default", async () => {
  const pricing = {
    dear: { input: 10, output: 50 },
    default: { input: 1, output: 5 },
  };
  const config = { pricing, limits: { budget_usd: 2.5 } };
  await using project = await createProject({ tasks, agent: tokensOnly, config });
  const outcome = await project.run("--task", "T-001", "--agent", "claude", "--model-impl", "dear");
  expect(outcome.facts("agent_end").map(({ usage }) => usage.cost_usd)).toEqual([2, 0.2]);
  expect(outcome.exitCode).toBe(0);
});

test.each([
  [["--budget", "much"], {}, "--budget=much must be an amount in US dollars"],
  [["--budget", "-1"], {}, "--budget=-1 must be an amount in US dollars"],
  [[], { RALPH_BUDGET_USD: "1,5" }, "RALPH_BUDGET_USD=1,5 must be an amount in US dollars"],
])("a budget of %j %j is refused: exit 1", async (args, env, words) => {
  await using project = await createProject({ tasks, env });
  const { exitCode, stderr } = await project.ralph("run", ...args);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(words);
});

test("a budget with a program that reports no cost is refused before anything is written: exit 1", async () => {
  await using project = await createProject({ tasks, config: { limits: { budget_usd: 5 } } });
  const { exitCode, stderr } = await project.ralph("run");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("agents.review (driver command): it reports neither cost nor tokens");
});

import { expect, test } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { createAutopilotProject } from "../../support/autopilot/project.ts";

/** A question is some tokens, which here are some cents; each implementation costs half a dollar. */
const pricing = { default: { input: 100, output: 0 } };
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
const work = [{ run: 'mkdir -p src; echo x >"src/part-${RALPH_TASK_ID#T-00}.ts"' }];
const scenario = {
  stream: true,
  defaults: {
    implementation: { do: work, say: "{done}", cost_usd: 0.5 },
    test_writing: { say: "{tests}", cost_usd: 0 },
    review: { say: "{approved}", cost_usd: 0 },
  },
};
const settings = { driver: "scripted", command: "scenario.json" };

const projectWith = (limits: object) =>
  createAutopilotProject({
    // Scripted agents start faster with the variable.
    agents: {
      ...{ implementation: settings, test_writing: settings, review: settings },
      env: ["NODE_COMPILE_CACHE"],
    },
    files: { "scenario.json": JSON.stringify(scenario) },
    config: { pricing, limits },
  });

thorough(
  "planning counts against the budget: the run stops, resumes with a higher one, and reports the cost once",
  async () => {
    await using project = await projectWith({ budget_usd: 0.001 });
    const stopped = await project.ralph("autopilot");
    expect(stopped).toMatchObject({ exitCode: 21, stderr: expect.stringContaining("Budget: ") });
    expect(stopped.stderr).toContain("RALPH_BUDGET_USD=USD ralph autopilot --resume");
    const first = await project.record();
    expect(first).toMatchObject({
      stop_reason: "budget",
      usage_by_role: { planning: { calls: 1 } },
    });
    expect((await project.ralph("autopilot", "--resume")).exitCode).toBe(21);

    Object.assign(project.system.env, { RALPH_BUDGET_USD: "1000" });
    const ended = await project.ralph("autopilot", "--resume", "--json");
    expect(ended).toMatchObject({ exitCode: 0 });
    const summary = JSON.parse(ended.stdout);
    const record = await project.record();
    const planning = { calls: 3, cost_usd: expect.any(Number) };
    expect(record.usage_by_role?.planning).toMatchObject(planning);
    expect(record.cost_usd).toBe(1 + (record.usage_by_role?.planning?.cost_usd ?? 0));
    expect(summary).toMatchObject({
      cost_usd: record.cost_usd,
      usage_by_role: { planning },
      record: { cost_usd: record.cost_usd },
    });
    expect((await project.ralph("report", "--markdown")).stdout).toMatch(/\| planning \| 3 \|/);
  },
);

test("the session continues counting where planning stopped", async () => {
  await using project = await projectWith({ budget_usd: 0.55 });
  const ended = await project.ralph("autopilot", "--json");
  expect(ended.exitCode).toBe(21);
  const { cost_usd, tasks_completed } = JSON.parse(ended.stdout);
  // Half a dollar alone would have left enough for the first task's review.
  expect(tasks_completed).toBe(0);
  expect(cost_usd).toBeGreaterThan(0.55);
});

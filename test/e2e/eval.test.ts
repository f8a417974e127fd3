import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createEvaluationProject } from "../support/evaluation/evaluation-project.ts";

test("agents are compared on mined tasks and an impossible one, in copies without the hidden tests", async () => {
  await using project = await createEvaluationProject({ mined: 2, impossible: 1 });
  const before = project.git("status", "--porcelain");
  const args = ["--tasks", "../eval.json", "--history", "2", "--html", "../eval.html"];
  const ended = await project.ralph("--json", "eval", ...args);
  expect(ended.stderr).toContain("add2 adds 2 to a number: taken");
  expect(ended.exitCode).toBe(0);
  const { agents, runs } = JSON.parse(ended.stdout);
  expect(agents).toMatchObject([
    {
      agent: "honest",
      tasks: 3,
      proved: 2,
      falsely_proved: 0,
      not_proved: 1,
      impossible_blocked: 1,
    },
    {
      agent: "hasty",
      tasks: 3,
      proved: 0,
      falsely_proved: 2,
      not_proved: 1,
      impossible_blocked: 1,
    },
  ]);
  expect(runs.filter(({ ended }: { ended: string }) => ended === "blocked")).toHaveLength(2);
  const page = project.read("../eval.html");
  expect(page).toContain("2 of 2 proved");
  expect(page).toContain("hidden tests are red");
  expect(project.git("status", "--porcelain")).toBe(before);
  const leftovers = readdirSync(join(project.stateDir)).flatMap((store) =>
    readdirSync(join(project.stateDir, store)),
  );
  expect(leftovers.filter((name) => name.includes("tmp"))).toEqual([]);
});

test.each([
  [[], "There is nothing to evaluate."],
  [["--history", "many"], "--history must be a whole number from 1 to 9999"],
  [["--history", "1", "--agents", "nobody"], "--agents names nobody"],
  [["--tasks", "../none.yml"], "none.yml"],
  [["--tasks", "wrong.yml"], "wrong.yml:2:9: tasks[0] needs `hidden`"],
])("ralph eval %j is refused with a remedy", async (args, message) => {
  await using project = await createEvaluationProject({ mined: 0, impossible: 0 });
  project.write("wrong.yml", 'version: "1"\ntasks: [{ title: a, acceptanceCriteria: [b] }]\n');
  const { exitCode, stderr } = await project.ralph("eval", ...args);
  expect(exitCode).toBeGreaterThan(0);
  expect(exitCode).toBeLessThan(3);
  expect(stderr).toContain(message);
});

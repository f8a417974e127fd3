import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";

test("--json tells each call and what each model was used for, and the report tells the same", async () => {
  await using project = await createProject({
    tasks: [task("T-001", { requiresTests: false })],
  });
  const { stdout } = await project.run("--json", "--model-review", "careful");
  const told = JSON.parse(stdout);
  expect(told.calls).toMatchObject([
    { task: "T-001", role: "implementation", iteration: 1, outcome: "accepted" },
    { task: "T-001", role: "review", model: "careful", outcome: "accepted" },
  ]);
  expect(told.usage_by_model).toMatchObject([
    { role: "implementation", driver: "command", model: null, calls: 1 },
    { role: "review", driver: "command", model: "careful", calls: 1 },
  ]);
  const report = JSON.parse((await project.ralph("report", "--json")).stdout);
  expect(report).toEqual(told);
});

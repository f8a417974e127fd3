import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";

test("--json lists each call and the use of each model, and the report agrees", async () => {
  await using project = await createProject({
    tasks: [task("T-001", { requiresTests: false })],
  });
  const { stdout } = await project.run("--json", "--model-review", "careful");
  const printed = JSON.parse(stdout);
  expect(printed.calls).toMatchObject([
    { task: "T-001", role: "implementation", iteration: 1, outcome: "accepted" },
    { task: "T-001", role: "review", model: "careful", outcome: "accepted" },
  ]);
  expect(printed.usage_by_model).toMatchObject([
    { role: "implementation", driver: "command", model: null, calls: 1 },
    { role: "review", driver: "command", model: "careful", calls: 1 },
  ]);
  const report = JSON.parse((await project.ralph("report", "--json")).stdout);
  expect(report).toEqual(printed);
});

import { expect, test } from "vitest";
import { createAutopilotProject, itemBranch, reportPath } from "../../support/autopilot/project.ts";

test("a report becomes a finished session with commits, files and a record", async () => {
  await using project = await createAutopilotProject();
  const ended = await project.ralph("autopilot");
  expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  expect(project.git("branch", "--show-current")).toBe(itemBranch);
  expect(project.commits()).toEqual([
    "docs: add PRD for Repair the login form",
    "chore: add prd.json tasks for Repair the login form",
    "feat(T-001): Write part 1 of number 1",
    "feat(T-002): Write part 2 of number 2",
  ]);
  expect(project.git("status", "--porcelain")).toBe("");
  expect(project.read("tasks/prd-login-form.md")).toContain("generated_by: ralph-autopilot");
  const analysis = JSON.parse(project.read(".ralph/autopilot/analysis.json"));
  expect(analysis).toMatchObject({ source_report: reportPath, provider: "anthropic" });
  expect(project.prd().tasks.map(({ passes }) => passes)).toEqual([true, true]);
  expect(await project.record()).toMatchObject({
    ...{ status: "completed", phase: "completed", stop_reason: "all_done" },
    ...{ report_path: reportPath, item: "Repair the login form", branch_name: itemBranch },
    ...{ analysis_path: ".ralph/autopilot/analysis.json", prd_path: "tasks/prd-login-form.md" },
    ...{ tasks_path: ".ralph/prd.json", tasks_completed: 2, tasks_total: 2, pr_created: false },
    base_commit: project.git("rev-parse", "main"),
    usage_by_role: { planning: { calls: 3 }, implementation: { calls: 2 } },
  });
  expect(ended.stdout).toContain("ralph publish");
});

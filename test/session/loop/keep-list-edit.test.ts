import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";

test("an edit of the task list during a run is put back, kept, and merged by the command in the warning", async () => {
  const tasks = [task("T-001"), task("T-002")];
  const edit = `sed -i 's/Title of T-002/A better title/' .ralph/prd.json`;
  const review = `test "$task" = T-002 || ${edit}; honest`;
  await using project = await createProject({ tasks, agent: { review } });
  const { exitCode, stdout } = await project.run();
  expect(exitCode).toBe(0);
  expect(project.read(".ralph/prd.json")).not.toContain("A better title");
  const [, command = ""] =
    /^! Warning: \.ralph\/prd\.json was changed .*`(.*)`\.$/m.exec(stdout) ?? [];
  expect(command).toMatch(
    /^git merge-file \.ralph\/prd\.json \.ralph-session\/edits\/prd-\w{8}\.base\.json/,
  );
  execFileSync("sh", ["-c", command], { cwd: project.root });
  const merged = project.prd();
  expect(project.read(".ralph/prd.json")).toContain("A better title");
  expect(merged.tasks.map(({ passes }) => passes)).toEqual([true, true]);
});

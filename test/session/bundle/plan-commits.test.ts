import { describe, expect, test } from "vitest";
import type { AutopilotPlan } from "../../../src/schema/autopilot/plan.ts";
import { checkPlan } from "../../../src/session/bundle/plan-commits.ts";
import { configWith } from "../../support/builders/config.ts";
import { createGitProject } from "../../support/project/git.ts";

const planAt = (base: string, branch: string): AutopilotPlan => ({
  run_id: "20260125-143052-a7b3c9",
  task_path: ".ralph/prd.json",
  ...{ base, branch },
});

describe("the branch of a plan", () => {
  test.each([
    ["ralph/login", undefined],
    ["mine/login", "mine/login"],
  ])("may be %s where %s is named", async (branch, named) => {
    await using project = await createGitProject();
    const plan = planAt(project.git("rev-parse", "HEAD"), branch);
    const checked = { plan, config: configWith({}), named };
    expect(await checkPlan(await project.open(), checked)).toEqual({ commits: [], paths: [] });
  });

  test.each(["main", "mine/login", "--upload-pack=x", "ralph/../main", "ralph/x.lock", ""])(
    "may not be %j",
    async (branch) => {
      await using project = await createGitProject();
      const plan = planAt(project.git("rev-parse", "HEAD"), branch);
      const refused = checkPlan(await project.open(), { plan, config: configWith({}) });
      await expect(refused).rejects.toMatchObject({ reason: "git" });
    },
  );
});

test("what is no commit is never handed to git", async () => {
  await using project = await createGitProject();
  const base = project.git("rev-parse", "HEAD");
  const spot = { parent: base, tree: base, date: "", paths: [] };
  for (const commit of ["--output=/tmp/x", "f".repeat(40), "HEAD"]) {
    const plan = { ...planAt(base, "ralph/x"), document_commit: { ...spot, commit } };
    const refused = checkPlan(await project.open(), { plan, config: configWith({}) });
    await expect(refused).rejects.toMatchObject({ reason: "firewall" });
  }
});

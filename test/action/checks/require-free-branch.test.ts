import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requireFreeBranch } from "../../../src/action/checks/checkout.ts";
import { planRun } from "../../../src/action/inputs/plan-run.ts";
import { stepContext } from "../../support/action/step.ts";
import { createProject, type Project, type ProjectOptions } from "../../support/project/project.ts";

const there = "refs/remotes/origin/ralph/example";

async function check(arrange: (project: Project) => void, options: ProjectOptions = {}) {
  await using project = await createProject(options);
  arrange(project);
  const event = join(project.folder, "event.json");
  writeFileSync(event, JSON.stringify({ repository: { default_branch: "main" } }));
  const env = {
    ...project.system.env,
    GITHUB_WORKSPACE: project.root,
    GITHUB_EVENT_PATH: event,
  };
  await requireFreeBranch(await planRun(stepContext({ ...project.system, env })));
}

const commit = ({ git }: Project) => git("commit", "-q", "--allow-empty", "-m", "more");

test("a branch that is not on GitHub, or not fetched, is free", async () => {
  await check(() => {});
});

test("a branch whose commits are all in the checkout is free", async () => {
  await check((project) => {
    project.git("update-ref", there, "HEAD");
    commit(project);
  });
});

test("a branch with commits of its own on GitHub is refused before anything is spent", async () => {
  const arrange = (project: Project) => {
    project.git("switch", "-qc", "side");
    commit(project);
    project.git("update-ref", there, "HEAD");
    project.git("switch", "-q", "main");
  };
  await expect(check(arrange)).rejects.toMatchObject({
    exitCode: 14,
    message: expect.stringMatching(/^The branch ralph\/example has commits on GitHub/),
  });
});

test("the checked-out branch counts, unless it is the base branch", async () => {
  await check((project) => {
    project.git("switch", "-qc", "feature");
    commit(project);
    project.git("update-ref", "refs/remotes/origin/feature", "HEAD");
  });
});

test("the default branch is refused", async () => {
  const options = { config: { git: { base_branch: "trunk" } } };
  await expect(check(() => {}, options)).rejects.toMatchObject({
    exitCode: 14,
    remedy: expect.stringContaining("`git.base_branch: main`"),
  });
});

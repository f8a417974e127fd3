import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requireCheckout } from "../../../src/action/checks/checkout.ts";
import { stepContext } from "../../support/action/step.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

type Arranged = {
  arrange?: (project: GitProject) => void;
  folder?: string;
  event?: string;
  workspace?: (project: GitProject) => string;
};

async function check({ arrange, folder = "", event, workspace }: Arranged) {
  await using project = await createGitProject({ "apps/web/a.txt": "" });
  arrange?.(project);
  const GITHUB_WORKSPACE = workspace?.(project) ?? project.root;
  const env = { ...project.system.env, GITHUB_WORKSPACE, GITHUB_EVENT_NAME: event };
  const inputs = { "working-directory": folder };
  await requireCheckout(stepContext({ ...project.system, env }, { inputs }));
}

test("a checked-out branch is accepted, for a folder of it, too", async () => {
  await check({});
  await check({ folder: "apps/web" });
});

test("without a checkout the remedy is to add one, whatever else is missing", async () => {
  await expect(check({ workspace: ({ folder }) => folder })).rejects.toMatchObject({
    exitCode: 14,
    message: "Nothing is checked out: the workspace is not a git repository.",
    remedy: expect.stringContaining("actions/checkout"),
  });
});

const detach = ({ git }: GitProject) => git("checkout", "-q", "--detach");

test("the checkout of a pull request has no branch, and the remedy names the ref that has one", async () => {
  await expect(check({ arrange: detach, event: "pull_request" })).rejects.toMatchObject({
    exitCode: 14,
    remedy: expect.stringContaining(`ref: \${{ github.head_ref }}`),
  });
});

test("the checkout of a tag or a commit has no branch", async () => {
  await expect(check({ arrange: detach, event: "push" })).rejects.toMatchObject({
    exitCode: 14,
    remedy: "Give actions/checkout the name of a branch as `ref:`.",
  });
});

test("a missing folder is refused, not replaced by its parent", async () => {
  await expect(check({ folder: "apps/wbe" })).rejects.toMatchObject({
    exitCode: 1,
    message: 'Input working-directory: there is no folder "apps/wbe" in the checkout.',
  });
  await expect(check({ folder: "a.txt" })).rejects.toThrow(/no folder "a.txt"/);
});

test("a link does not count as a folder of the checkout", async () => {
  const arrange = ({ folder, root }: GitProject) => {
    mkdirSync(join(folder, "elsewhere/inner"), { recursive: true });
    symlinkSync(join(folder, "elsewhere"), join(root, "linked"));
  };
  await expect(check({ arrange, folder: "linked" })).rejects.toThrow(/no folder "linked"/);
  await expect(check({ arrange, folder: "linked/inner" })).rejects.toThrow(/no folder "linked"/);
});

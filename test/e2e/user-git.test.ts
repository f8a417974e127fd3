import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { task } from "../support/builders/session.ts";
import { createProject } from "../support/project/project.ts";

test("what an agent leaves for the user's git is put back and reported: settings, hooks, branches and tags (T41)", async () => {
  const implementation = `git config core.fsmonitor /tmp/evil; echo x >.git/hooks/post-checkout
    git tag planted; git update-ref refs/heads/other HEAD; git tag -d release
    git update-ref refs/heads/mine HEAD; touch .git/refs/heads/mine.lock
    git branch -D folder; git branch folder/inside
    git symbolic-ref refs/heads/main refs/heads/mine; honest`;
  await using project = await createProject({ tasks: [task("T-001")], agent: { implementation } });
  for (const name of ["mine", "folder"]) project.git("branch", name, "main");
  project.git("tag", "release", "main");
  project.git("worktree", "add", "-q", "-b", "elsewhere", join(project.folder, "elsewhere"));
  const refs = () =>
    project.git(
      "for-each-ref",
      "--format=%(refname) %(objectname) %(symref)",
      "refs/tags",
      "refs/heads",
    );
  const config = project.read(".git/config");
  const before = refs();
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(project.read(".git/config")).toBe(config);
  expect(existsSync(join(project.root, ".git/hooks/post-checkout"))).toBe(false);
  expect(withoutOwn(refs())).toBe(before);
  const warnings = facts("warning").map(({ message }) => message);
  expect(warnings).toContain(
    "Put back, changed during an agent's call: .git/config, .git/hooks/post-checkout",
  );
  const about = (name: string) => warnings.filter((text) => text.includes(`call: ${name}.`));
  expect(about("refs/tags/planted")[0]).toMatch(
    /If that was you: `git update-ref refs\/tags\/planted \w+`/,
  );
  expect(about("refs/tags/release")[0]).toContain("`git update-ref -d refs/tags/release`");
});

test("a branch that another work tree has checked out may be moved by a person, and is only reported", async () => {
  const implementation =
    "git update-ref refs/heads/elsewhere $(git commit-tree -m x HEAD^{tree}); honest";
  await using project = await createProject({ tasks: [task("T-001")], agent: { implementation } });
  project.git("worktree", "add", "-q", "-b", "elsewhere", join(project.folder, "elsewhere"));
  const before = project.git("rev-parse", "elsewhere");
  const { facts } = await project.run();
  expect(project.git("rev-parse", "elsewhere")).not.toBe(before);
  expect(facts("warning").map(({ message }) => message)).toContain(
    `refs/heads/elsewhere changed during an agent's call. If that was not you: \`git update-ref refs/heads/elsewhere ${before}\``,
  );
});

const withoutOwn = (refs: string) =>
  refs
    .split("\n")
    .filter((line) => !line.startsWith("refs/heads/ralph/"))
    .join("\n");

import { existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runGit } from "../../../src/git/repository/run-git.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

test("the repository is found from its root and from below", async () => {
  await using project = await createGitProject({ "app/web/x": "" });
  const repo = await project.open({ directory: join(project.root, "app/web") });
  expect(repo).toMatchObject({
    root: join(project.root, "app/web"),
    worktree: project.root,
    prefix: "app/web/",
    gitDir: join(project.root, ".git"),
    commonDir: join(project.root, ".git"),
    privateDir: join(project.stateDir, "git"),
  });
});

test("opening twice is the same as once, and leaves the user's directory as it was", async () => {
  await using project = await createGitProject();
  project.git("pack-refs", "--all");
  const before = readdirSync(join(project.root, ".git"));
  await project.open();
  const repo = await project.open();
  expect(readdirSync(join(project.root, ".git"))).toEqual(before);
  expect((await runGit(repo, ["rev-parse", "HEAD"])).toString().trim()).toBe(
    project.git("rev-parse", "HEAD"),
  );
  expect(existsSync(join(project.root, ".git/objects/objects"))).toBe(false);
});

test("a lock a killed process left in the private directory does not matter", async () => {
  await using project = await createGitProject();
  const { privateDir } = await project.open();
  writeFileSync(join(privateDir, "index.lock"), "");
  await runGit(await project.open({ branch: "main" }), ["read-tree", "HEAD"]);
  writeFileSync(join(privateDir, "index.lock"), "");
  await runGit(await project.open(), ["read-tree", "HEAD"]);
});

test("the user's own ignore file counts, also behind a link", async () => {
  await using project = await createGitProject();
  const dotfiles = join(project.folder, "dotfiles");
  writeFileSync(dotfiles, "*.mine\n");
  symlinkSync(dotfiles, join(project.folder, "home/.ignore"));
  project.git("config", "core.excludesFile", "~/.ignore");
  project.write("x.mine", "");
  project.write("x.yours", "");
  const repo = await project.open();
  const shown = await runGit(repo, ["ls-files", "-o", "--exclude-standard"]);
  expect(shown.toString()).toBe("x.yours\n");
});

const refusals: [string, (project: GitProject) => string | undefined, RegExp][] = [
  ["a folder outside any repository", (project) => project.folder, /not in a git repository/],
  ["a bare repository", makeBare, /bare repository/],
  ["a detached HEAD", (project) => run(project, "checkout", "-q", "--detach"), /detached/],
  [
    "a branch without a commit",
    (project) => run(project, "switch", "-q", "--orphan", "x"),
    /no commit/,
  ],
  ["an unfinished merge", (project) => mark(project, "MERGE_HEAD"), /merge is in progress/],
  ["an unfinished cherry-pick", (project) => mark(project, "CHERRY_PICK_HEAD"), /cherry-pick/],
  ["an unfinished rebase", (project) => mark(project, "rebase-merge"), /rebase is in progress/],
];

test.each(refusals)("%s is refused with exit 14 and a remedy", async (_, prepare, message) => {
  await using project = await createGitProject();
  const directory = prepare(project) ?? project.root;
  const opening = project.open({ directory });
  await expect(opening).rejects.toMatchObject({
    name: "RalphError",
    exitCode: 14,
    message: expect.stringMatching(message),
    remedy: expect.stringMatching(/./),
  });
});

test("a missing git is refused by name", async () => {
  await using project = await createGitProject();
  Object.assign(project.system, { env: { PATH: project.folder } });
  await expect(project.open()).rejects.toMatchObject({
    exitCode: 14,
    message: /could not be started/,
  });
});

test("a session that continues keeps its private directory, wherever HEAD was moved", async () => {
  await using project = await createGitProject();
  await project.open();
  project.git("config", "user.name", "Mallory");
  project.git("config", "core.excludesFile", "/etc/passwd");
  project.git("checkout", "-q", "--detach");
  const repo = await project.open({ branch: "main" });
  expect(repo.env.GIT_AUTHOR_NAME).toBe("Ada");
  const head = await runGit(repo, ["symbolic-ref", "HEAD"]);
  expect(head.toString()).toBe("refs/heads/main\n");
});

test("filters are noticed in attribute files at any depth", async () => {
  await using plain = await createGitProject({ ".gitattributes": "*.txt text\n" });
  expect((await plain.open()).usesFilters).toBe(false);
  await using deep = await createGitProject({ "x/y/.gitattributes": "*.bin filter=lfs\n" });
  expect((await deep.open()).usesFilters).toBe(true);
});

function makeBare(project: GitProject): string {
  const bare = join(project.folder, "bare.git");
  project.git("init", "-q", "--bare", bare);
  return bare;
}

function run(project: GitProject, ...args: string[]): undefined {
  project.git(...args);
}

function mark(project: GitProject, name: string): undefined {
  writeFileSync(join(project.root, ".git", name), "");
}

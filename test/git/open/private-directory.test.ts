import { mkdirSync, renameSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRepository } from "../../../src/git/open/open-repository.ts";
import { runGit } from "../../../src/git/repository/run-git.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

async function untracked(project: GitProject): Promise<string> {
  const repo = await project.open();
  const args = ["ls-files", "-o", "--exclude-standard"];
  return (await runGit(repo, args)).toString();
}

test("the user's ignore rules of every level count, in their order", async () => {
  await using project = await createGitProject();
  mkdirSync(join(project.folder, "home/.config/git"), { recursive: true });
  project.write("../home/.config/git/ignore", "*.a\n*.b\n");
  project.write(".git/info/exclude", "!x.b\n*.c\n");
  for (const name of ["x.a", "x.b", "x.c", "x.d"]) project.write(name, "");
  expect(await untracked(project)).toBe("x.b\nx.d\n");
});

test("rule files behind links are read; folders and devices in their place are empty", async () => {
  await using project = await createGitProject();
  const exclude = join(project.root, ".git/info/exclude");
  renameSync(exclude, join(project.folder, "exclude"));
  project.write("../exclude", "*.linked\n");
  symlinkSync("../../../exclude", exclude);
  project.git("config", "core.excludesFile", "/dev/null");
  project.git("config", "core.attributesFile", project.folder);
  project.write("x.linked", "");
  project.write("y", "");
  expect(await untracked(project)).toBe("y\n");
});

test("the index keeps its time stamp, so that git still sees edits made in the same instant", async () => {
  await using project = await createGitProject();
  const index = join(project.root, ".git/index");
  utimesSync(index, 1_700_000_000, 1_700_000_000);
  const { privateDir } = await project.open();
  expect(statSync(join(privateDir, "index")).mtimeMs).toBe(1_700_000_000_000);
});

test("the user's attributes keep their low rank", async () => {
  await using project = await createGitProject({ ".gitattributes": "*.x diff=tree\n" });
  project.git("config", "core.attributesFile", "~/.attributes");
  project.write("../home/.attributes", "*.x diff=user\n*.y diff=user\n");
  const repo = await project.open();
  const answer = await runGit(repo, ["check-attr", "diff", "a.x", "a.y"]);
  expect(answer.toString()).toBe("a.x: diff: tree\na.y: diff: user\n");
});

test("a private directory that cannot be made is exit 14 with a remedy", async () => {
  await using project = await createGitProject();
  const ask: typeof project.system.ask = async (command) =>
    command.args[1]?.startsWith("own=$1")
      ? { exitCode: 1, stdout: Buffer.alloc(0), stderr: "ln: Operation not permitted" }
      : project.system.ask(command);
  const system = { ...project.system, ask };
  const opening = openRepository(system, { directory: project.root, stateDir: project.stateDir });
  await expect(opening).rejects.toMatchObject({ exitCode: 14, remedy: /symbolic links/ });
});

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { commitWork } from "../../src/git/commits/commit.ts";
import { readStartPoint } from "../../src/git/commits/start-point.ts";
import { changesSince } from "../../src/git/worktree/changes.ts";
import { stageChanges } from "../../src/git/worktree/stage.ts";
import { thorough } from "../setup/sampled.ts";
import { createGitProject } from "../support/project/git.ts";

const fileCount = 50_000;

/** One commit of many files with the same content, as `git fast-import` reads it. */
function manyFiles(): string {
  const blob = "blob\nmark :1\ndata 5\nfile\n\n";
  const header = "commit refs/heads/many\ncommitter A <a@example.org> 0 +0000\ndata 4\nmany\n";
  const files = Array.from(
    { length: fileCount },
    (_, index) => `M 100644 :1 d${index % 500}/f${index}.txt\n`,
  );
  return blob + header + files.join("");
}

thorough("50,000 files: a look and a commit touch only what changed", async () => {
  await using project = await createGitProject();
  execFileSync("git", ["fast-import", "--quiet"], { cwd: project.root, input: manyFiles() });
  project.git("checkout", "-q", "many");
  const repo = await project.open();
  const start = await readStartPoint(repo);
  const commands: string[] = [];
  const ask: typeof project.system.ask = (command) => {
    commands.push(command.file);
    return project.system.ask(command);
  };
  const watched = { ...repo, system: { ...repo.system, ask } };
  project.write("d7/new.txt", "new");
  project.write("d7/f7.txt", "changed");
  const { changes } = await changesSince(watched, start);
  const tree = await stageChanges(watched, { tree: start.tree, changes });
  expect(changes).toHaveLength(2);
  expect(commands).toEqual(["git", "sh"]);
  const { branch, commit: parent } = start;
  const date = "2026-01-25T14:30:52Z";
  const head = await commitWork(repo, { branch, parent, tree, paths: [], message: "x", date });
  expect(project.git("show", "--format=", "--name-only", head.commit)).toBe(
    "d7/f7.txt\nd7/new.txt",
  );
  expect(repo.privateDir).toBe(join(project.stateDir, "git"));
});

import { expect, test } from "vitest";
import { buildCommit } from "../../../src/git/commits/build-commit.ts";
import { createGitProject } from "../../support/project/git.ts";

const wanted = {
  files: [
    { path: ".ralph/runs/a.json", content: "{}\n" },
    { path: "kept/raw.bin", content: Buffer.from([0, 255]) },
  ],
  message: "chore: a record",
  date: "2026-01-25T14:30:52.123Z",
};

test("a commit holds its parent's files and the new ones, and the work tree takes no part", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const parent = project.git("rev-parse", "HEAD");
  project.write("unrelated.ts", "not committed");
  const commit = await buildCommit(repo, { ...wanted, parent });
  const names = project.git("diff", "--name-status", parent, commit);
  expect(names).toBe("A\t.ralph/runs/a.json\nA\tkept/raw.bin");
  expect(project.git("show", "-s", "--format=%P %s %ct", commit)).toBe(
    `${parent} chore: a record ${Math.floor(Date.parse(wanted.date) / 1000)}`,
  );
  expect(project.git("rev-parse", "HEAD")).toBe(parent);
  expect(project.git("status", "--porcelain")).toBe("?? unrelated.ts");
});

test("equal fields give the equal commit, by who committed the parent", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const parent = project.git("rev-parse", "HEAD");
  const commit = await buildCommit(repo, { ...wanted, parent });
  expect(await buildCommit(repo, { ...wanted, parent })).toBe(commit);
  const who = "--format=%an <%ae> %cn <%ce>";
  const [name] = project.git("show", "-s", "--format=%cn <%ce>", parent).split("\n");
  expect(project.git("show", "-s", who, commit)).toBe(`${name} ${name}`);
});

test("a program that is replaced stays a program", async () => {
  await using project = await createGitProject({ "bin/tool.sh": "old\n" });
  project.git("update-index", "--chmod=+x", "bin/tool.sh");
  project.git("commit", "-qm", "a program");
  const parent = project.git("rev-parse", "HEAD");
  const files = [{ path: "bin/tool.sh", content: "new\n" }];
  const commit = await buildCommit(await project.open(), { ...wanted, files, parent });
  expect(project.git("ls-tree", commit, "bin/tool.sh")).toMatch(/^100755 /);
});

test("a file that is there is replaced, and a folder gives way to a file of its name", async () => {
  await using project = await createGitProject({
    "kept/raw.bin/x": "x",
    ".ralph/runs/a.json": "old",
  });
  const repo = await project.open();
  const commit = await buildCommit(repo, { ...wanted, parent: project.git("rev-parse", "HEAD") });
  expect(project.git("show", `${commit}:.ralph/runs/a.json`)).toBe("{}");
  expect(project.git("cat-file", "-t", `${commit}:kept/raw.bin`)).toBe("blob");
});

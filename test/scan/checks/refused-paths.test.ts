import { join } from "node:path";
import { expect, test } from "vitest";
import { refusedPaths } from "../../../src/scan/checks/repository.ts";
import { workTree } from "../../../src/scan/checks/work-tree.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project } from "../../support/project/project.ts";
import { runCheck } from "./run-check.ts";

const one = { tasks: [task("T-001")] };

/** Commits a file as git-lfs does: the blob differs from the file in the work tree. */
function addFiltered(project: Project) {
  project.git("config", "filter.lfs.clean", "sed s/large/pointer/");
  project.git("config", "filter.lfs.smudge", "sed s/pointer/large/");
  project.write(".gitattributes", "*.bin filter=lfs -text\n*.txt -filter\n");
  project.write("a.bin", "large");
  project.git("add", "-A");
  project.git("commit", "-qm", "large files");
}

test("a plain repository has none", async () => {
  await using project = await createProject({ ...one, files: { "a.txt": "x" } });
  expect(await runCheck(project, refusedPaths)).toMatchObject({
    status: "pass",
    message: "none: no submodule and no file behind a filter such as git-lfs",
  });
});

test("files behind a filter are named, with the filter", async () => {
  await using project = await createProject({ ...one, files: { "a.txt": "x" } });
  addFiltered(project);
  const { status, message } = await runCheck(project, refusedPaths);
  expect(status).toBe("pass");
  expect(message).toMatch(/^0 submodules, 1 file behind a filter; .*\n {2}a\.bin \(filter lfs\)\n/);
});

test("a submodule is named; one that is empty is a warning", async () => {
  await using project = await createProject(one);
  const allow = ["-c", "protocol.file.allow=always"];
  project.git(...allow, "submodule", "--quiet", "add", project.root, "vendor/sub");
  project.git("commit", "-qm", "submodule");
  const { status, message } = await runCheck(project, refusedPaths);
  expect(status).toBe("pass");
  expect(message).toMatch(/^1 submodule, 0 files .*\n {2}vendor\/sub \(submodule\)\n/);
  project.gitIn(project.folder, "clone", "-q", project.root, "clone");
  const clone = { ...project, root: join(project.folder, "clone") };
  expect(await runCheck(clone, refusedPaths)).toMatchObject({
    status: "warning",
    fixes: [{ command: "git submodule update --init --recursive" }],
  });
});

test("filtered files that only look changed differ from uncommitted work", async () => {
  await using project = await createProject(one);
  addFiltered(project);
  project.write("a.bin", "other");
  const found = await runCheck(project, workTree);
  expect(found).toMatchObject({
    status: "warning",
    fixes: [{ command: "git update-index --refresh" }],
  });
  project.write("b.txt", "new");
  expect(await runCheck(project, workTree)).toMatchObject({ fixes: [{ command: "git stash -u" }] });
});

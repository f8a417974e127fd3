import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addPage, pageFile } from "../../src/entry/session-page.ts";
import { createFiles } from "../../src/platform/fs/files.ts";
import { task } from "../support/builders/session.ts";
import { createProject, sessionFolders } from "../support/project/project.ts";

const two = ["T-001", "T-002"].map((id) => task(id));

test("the bundle of a killed session gets a report that shows it", async () => {
  await using project = await createProject({ tasks: two });
  await project.run();
  const [folder = ""] = sessionFolders(project.stateDir);
  const path = join(folder, "journal.jsonl");
  const lines = readFileSync(path, "utf8").split("\n");
  const passed = lines.findIndex((line) => line.includes('"task_committed"'));
  writeFileSync(path, `${lines.slice(0, passed + 1).join("\n")}\n{"seq":`);
  await addPage(createFiles(folder));
  const page = readFileSync(join(folder, pageFile), "utf8");
  expect(page).toContain("interrupted: 1 of 2 tasks passed");
  expect(page).toContain(`<bdi>${passed + 1}:`);
});

test("without a journal there is no report", async () => {
  await using project = await createProject();
  await addPage(createFiles(project.root));
  expect(existsSync(join(project.root, pageFile))).toBe(false);
});

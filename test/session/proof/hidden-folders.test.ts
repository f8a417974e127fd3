import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { visibleFolder } from "../../../src/platform/fs/visible-folder.ts";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";

/** Some web servers serve nothing below a folder whose name begins with a dot. */
const gate = "case $PWD in */.*) echo hidden; exit 1 ;; esac";

/** A store below a hidden folder, as it is by default. */
async function createHidden(parallel = 1) {
  const folder = mkdtempSync(join(tmpdir(), "ralph-state-"));
  const project = await createProject({
    tasks: ["T-001", "T-002"].map((id) => task(id)),
    gates: { test: gate },
    config: { proof: {}, limits: { parallel } },
    env: { RALPH_STATE_DIR: join(folder, ".local/state") },
  });
  return { project, checkouts: visibleFolder(join(folder, ".local")) };
}

/** Every file below a folder. */
const filesBelow = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
    : [];

test.each([1, 2])(
  "gates of %i tasks at a time never run below a hidden folder",
  async (parallel) => {
    const { project, checkouts } = await createHidden(parallel);
    await using _ = project;
    const { exitCode, stdout } = await project.ralph("run");
    expect(exitCode, stdout).toBe(0);
    expect(filesBelow(checkouts)).toEqual([]);
  },
);

test("nor do those of a scan and of a proof in a clean clone", async () => {
  const { project, checkouts } = await createHidden();
  await using _ = project;
  const scan = await project.ralph("scan", "--check", "gates");
  expect(scan.stdout).toContain("1 gate: 1 passed");
  await project.ralph("run");
  const audit = await project.ralph("audit", "--prove");
  expect(audit.exitCode, audit.stdout + audit.stderr).toBe(0);
  expect(filesBelow(checkouts)).toEqual([]);
});

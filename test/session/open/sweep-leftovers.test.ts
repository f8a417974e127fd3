import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openSessionStore } from "../../../src/journal/session-store.ts";
import { sweepLeftovers } from "../../../src/session/open/sweep-leftovers.ts";
import { createGitProject } from "../../support/project/git.ts";

const draft = ".ralph-tmp-99999999-1-0123456789abcdef";

test("what a killed session left half-written is gone, wherever it was (F03)", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const env = { RALPH_STATE_DIR: join(project.folder, "store") };
  const { system } = project;
  const store = openSessionStore({ ...system, env }, { gitDir: repo.gitDir, root: repo.root });
  const session = store.session("20260125-143052-aaaaaa").root;
  const sessionDir = join(repo.root, ".ralph-session");
  const folders = [".", ".ralph", ".git", ".git/info", ".ralph-session", ".ralph-session/logs"];
  const places = [
    ...folders.map((folder) => join(repo.root, folder, draft)),
    ...[repo.privateDir, store.folder, session].map((folder) => join(folder, draft)),
    join(session, "evidence", draft),
    join(session, "baseline/src/a.txt"),
    join(session, "baseline.index"),
  ];
  const kept = join(repo.root, ".ralph/prd.json");
  for (const path of [...places, kept]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "half");
  }
  const documents = [".ralph/prd.json", "AGENTS.md"];
  await sweepLeftovers(system, { repo, store, sessionDir, documents });
  expect([...places, kept].filter((path) => existsSync(path))).toEqual([kept]);
});

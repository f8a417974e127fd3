import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acquireLock } from "../../../src/platform/locks/session-lock.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project } from "../../support/project/project.ts";
import { snapshot } from "../bad-input-place.ts";

/** The reviewer rejects the work, so it is kept as a tree. */
const failing = { tasks: [task("T-001")], agent: { review: "signal review-rejected" } };
const keptRefs = ({ git }: Project) => git("for-each-ref", "--format=%(refname)", "refs/ralph");
const storeOf = ({ stateDir }: Project) => join(stateDir, readdirSync(stateDir)[0] ?? "none");
const sessionsOf = (project: Project) => readdirSync(join(storeOf(project), "sessions"));

test("old sessions are removed with their trees and files; the newest stays", async () => {
  await using project = await createProject(failing);
  const first = (await project.run("--max-iterations", "1")).state.session.session_id;
  const kept = keptRefs(project);
  // Session ids differ by the second; these are made without waiting.
  await project.system.clock.sleep(1000);
  const second = (await project.run("--max-iterations", "1")).state.session.session_id;
  const { stdout, exitCode } = await project.ralph("clean", "--keep", "1");
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`  session ${first}\n`);
  expect(stdout).not.toContain(second);
  expect(sessionsOf(project)).toHaveLength(1);
  expect(existsSync(join(project.root, ".ralph-session/session.json"))).toBe(true);
  expect(kept).not.toBe("");
  const all = await project.ralph("clean", "--keep", "0", "--json");
  expect(JSON.parse(all.stdout)).toMatchObject({ sessions: [second] });
  expect(keptRefs(project)).toBe("");
  expect(existsSync(join(project.root, ".ralph-session/session.json"))).toBe(false);
  expect((await project.ralph("clean")).stdout).toBe("There is nothing to remove.\n");
});

test("left-over temporary files go; nothing we did not write does", async () => {
  await using project = await createProject({ tasks: [task("T-001")] });
  await project.run();
  const own = [".ralph", ".ralph-session/logs"].map((folder) =>
    join(project.root, folder, ".ralph-tmp-99999999-1-0123456789abcdef"),
  );
  for (const path of own) writeFileSync(path, "half");
  mkdirSync(join(storeOf(project), "setup"));
  writeFileSync(join(project.root, ".ralph-session/mine.txt"), "mine");
  const others = snapshot(project.root).filter((line) => !line.includes(".ralph-tmp-"));
  const { stdout } = await project.ralph("clean");
  expect(stdout.match(/file .*\.ralph-tmp-/g)).toHaveLength(2);
  expect(stdout).toMatch(/file \S+\/setup$/m);
  expect(snapshot(project.root)).toEqual(others);
});

test("while a session runs nothing is removed: exit 24", async () => {
  await using project = await createProject({ tasks: [task("T-001")] });
  await project.run();
  const claim = { session_id: "20260125-143052-aaaaaa", started_at: "2026-01-25T14:30:52Z" };
  await using _ = await acquireLock(join(storeOf(project), "lock"), claim).then((lock) => {
    if (lock.kind !== "acquired") throw new Error("The lock is free.");
    return lock;
  });
  const { exitCode, stderr } = await project.ralph("clean", "--keep", "0");
  expect(exitCode).toBe(24);
  expect(stderr).toContain("session 20260125-143052-aaaaaa");
  expect(sessionsOf(project)).toHaveLength(1);
});

test.each(["-1", "many", "1.5"])("--keep %s is refused", async (count) => {
  await using project = await createProject();
  const { exitCode, stderr } = await project.ralph("clean", `--keep=${count}`);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`not "${count}"`);
});

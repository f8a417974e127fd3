import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampled, thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import {
  createPublishedProject,
  type Machine,
  type PublishedProject,
} from "../../support/github/published-project.ts";
import { createPublisher } from "../../support/github/publishing-session.ts";
import { branch, sessionFolders } from "../../support/project/project.ts";

const all = [task("T-001"), task("T-002"), task("T-003")];
const two = all.slice(0, 2);

/** The first task passes at once; the next only when the test allows it. */
const lazy = `[ "$task" = T-001 ] || [ -e "$(dirname "$0")/can-$task" ] || { signal task-done; exit 0; }
honest`;

const createHalf = (tasks = two, commits = "git") =>
  createPublishedProject({
    tasks,
    agent: lazy,
    config: { commits, limits: { max_iterations: 1 } },
  });

/** Continues the session with a task that can pass now, and replaces the published bundle. */
async function goOn({ project }: PublishedProject, { bundle }: Machine, can: string) {
  writeFileSync(join(project.folder, "bin", `can-${can}`), "");
  const outcome = await project.run("--resume", "--keep-going");
  rmSync(bundle, { recursive: true });
  cpSync(sessionFolders(project.stateDir).at(-1) ?? "", bundle, { recursive: true });
  return outcome;
}

const withoutId = (text: string) => text.replaceAll(/\d{8}-\d{6}-\w+/g, "ID");
/** The branch's own line of commits, newest first. */
const steps = ({ remoteGit }: Machine) =>
  withoutId(remoteGit("log", "--first-parent", "--format=%s", `main..${branch}`)).split("\n");
const tipOf = ({ remoteGit }: Machine) => remoteGit("rev-parse", branch);
const record = "chore(ralph): run record of ID";
const joinMessage = "chore(ralph): the session goes on after its run record";

test("half the tasks make a draft with such a record; later work is joined to it, and no commit is lost", async () => {
  await using origin = await createHalf();
  const machine = origin.copy("half");
  const publisher = createPublisher(machine);
  expect(await publisher.publish()).toMatchObject({ pull: { kind: "created", draft: true } });
  expect(publisher.lines).toContain("Pull request #1 is a draft: 1 of 2 tasks passed.");
  expect(publisher.fake.state.checkRuns).toMatchObject([{ conclusion: "failure" }]);
  expect(steps(machine)).toEqual([record, expect.stringMatching(/^feat\(T-001\)/)]);
  const half = tipOf(machine);
  const [path = ""] = machine.remoteGit("diff", "--name-only", `${branch}^`, branch).split("\n");
  expect(JSON.parse(machine.remoteGit("show", `${branch}:${path}`))).toMatchObject({
    status: "failed",
    tasks_completed: 1,
    tasks_total: 2,
  });

  const { exitCode, stderr, state } = await goOn(origin, machine, "T-002");
  expect(exitCode, stderr).toBe(0);
  expect(await publisher.publish()).toMatchObject({ pull: { kind: "adopted", draft: false } });
  expect(steps(machine)).toEqual([
    record,
    joinMessage,
    record,
    expect.stringMatching(/^feat\(T-001\)/),
  ]);
  expect(machine.remoteGit("rev-parse", `${branch}~1^1`, `${branch}~1^2`).split("\n")).toEqual([
    half,
    state.head,
  ]);
  expect(machine.remoteGit("diff", "--name-only", state.head, branch)).toBe(path);
  expect(JSON.parse(machine.remoteGit("show", `${branch}:${path}`))).toMatchObject({
    status: "completed",
  });
  expect(publisher.fake.state.comments).toHaveLength(1);
  expect(publisher.fake.state.comments[0]?.body).toContain("2 of 2 passed");
  const tip = tipOf(machine);
  expect(await publisher.publish()).toMatchObject({ branch: { kind: "up-to-date" } });
  expect(tipOf(machine)).toBe(tip);
  expect(machine.remoteGit("fsck", "--strict")).toBe("");
});

thorough.each(sampled(["git", "api"], 1))(
  "a session that continues twice is joined twice, by the same commits on any machine (%s)",
  async (commits) => {
    await using origin = await createHalf(all, commits);
    const machine = origin.copy("twice");
    await createPublisher(machine).publish();
    await goOn(origin, machine, "T-002");
    const publisher = createPublisher(machine);
    await publisher.publish();
    await goOn(origin, machine, "T-003");
    expect(await publisher.publish()).toMatchObject({ pull: { kind: "adopted", draft: false } });
    const feat = expect.stringMatching(/^feat\(T-001\)/);
    expect(steps(machine)).toEqual([record, joinMessage, record, joinMessage, record, feat]);
    expect(await createPublisher(machine).publish()).toMatchObject({
      branch: { kind: "up-to-date" },
    });
  },
);

thorough("a person's commit on top of the record is kept when the session continues", async () => {
  await using origin = await createHalf();
  const machine = origin.copy("person");
  const publisher = createPublisher(machine);
  await publisher.publish();
  const theirs = machine.personPushes(branch);
  await goOn(origin, machine, "T-002");
  await expect(publisher.publish()).rejects.toMatchObject({
    reason: "git",
    message: expect.stringContaining(theirs),
  });
  expect(tipOf(machine)).toBe(theirs);
});

test.each(
  sampled(
    [
      ["a different text", { content: "{}\n" }],
      ["a second file", { more: "a.txt" }],
      ["a merge", { isMerge: true }],
    ],
    1,
  ),
)("a commit that only looks like a record counts as a person's: %s", async (what, forged) => {
  await using origin = await createHalf();
  const machine = origin.copy(what.replaceAll(" ", "-"));
  const publisher = createPublisher(machine);
  await publisher.publish();
  const theirs = imitate(machine, forged);
  await goOn(origin, machine, "T-002");
  await expect(publisher.publish()).rejects.toMatchObject({ reason: "git" });
  expect(tipOf(machine)).toBe(theirs);
});

type Forged = { content?: string; more?: string; isMerge?: boolean };

/** Replaces the last commit by one with the same message, as anyone could push it. */
function imitate(machine: Machine, { content, more, isMerge }: Forged): string {
  const { remoteGit, checkout } = machine;
  const identity = ["-c", "user.name=ralph", "-c", "user.email=ralph@users.noreply.github.com"];
  const git = (...args: string[]) => remoteGit("-C", checkout, ...identity, ...args);
  git("fetch", "-q", "origin", branch);
  git("checkout", "-q", "-B", "mine", "FETCH_HEAD");
  const [path = ""] = git("diff", "--name-only", "HEAD^", "HEAD").split("\n");
  if (content) writeFileSync(join(checkout, path), content);
  if (more) writeFileSync(join(checkout, more), "theirs\n");
  git("add", "-A");
  if (isMerge) {
    const tree = git("write-tree");
    const words = [tree, "-p", "HEAD", "-p", "HEAD^", "-m", joinMessage];
    git("reset", "-q", "--hard", git("commit-tree", ...words));
  } else {
    git("commit", "-q", "-m", git("log", "-1", "--format=%s"));
  }
  git("push", "-q", "origin", `mine:${branch}`);
  return tipOf(machine);
}

test("a session at a checkpoint gets a draft, and its record only when it is over", async () => {
  await using origin = await createPublishedProject({
    tasks: two,
    agent: `[ "$task" != T-002 ] || [ -e "$(dirname "$0")/can-T-002" ] || {
  echo "Claude AI usage limit reached|$(($(date +%s) + 90000))"; exit 1; }
honest`,
    config: { limits: { max_iterations: 3 } },
  });
  const machine = origin.copy("checkpoint");
  const publisher = createPublisher(machine);
  await publisher.publish();
  expect(publisher.lines).toContain("Pull request #1 is a draft: the session is not over.");
  expect(publisher.fake.state.checkRuns).toMatchObject([{ conclusion: "neutral" }]);
  expect(steps(machine)).toEqual([expect.stringMatching(/^feat\(T-001\).*$/)]);
  expect(tipOf(machine)).toBe(origin.committed.at(-1)?.commit);
});

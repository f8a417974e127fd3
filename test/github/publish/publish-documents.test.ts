import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampled, thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createPublishedProject, type Machine } from "../../support/github/published-project.ts";
import { createPublisher } from "../../support/github/publishing-session.ts";
import { branch, sessionFolders } from "../../support/project/project.ts";

const ids = ["T-001", "T-002"];
const folder = ".ralph/specs/auth/implementation";
const file = (id: string) => `${folder}/${id}.code-task.md`;

/** The first task passes; the second is blocked until the test allows it. */
const lazy = `[ "$task" = T-001 ] || [ -e "$(dirname "$0")/can" ] || { signal task-done; exit 0; }
honest`;

/** A session on a team's task files, with one task done and one blocked. */
const createTeam = (commits: string) =>
  createPublishedProject({
    tasks: ids.map((id) => task(id)),
    agent: lazy,
    config: { commits, compat: { emit: ["agent-teams"] } },
    prd: {
      metadata: {
        sourceFile: folder,
        idMap: Object.fromEntries(ids.map((id) => [id, `${id}.code-task.md`])),
      },
    },
    files: Object.fromEntries(
      ids.map((id) => [file(id), `## Status: PENDING\n\n# Task: ${id}\n\n- ✓ it works\n`]),
    ),
  });

const shown = ({ remoteGit }: Machine, path: string) =>
  `${remoteGit("show", `${branch}:${path}`)}\n`;
const changed = ({ remoteGit }: Machine) =>
  remoteGit("diff", "--name-only", `${branch}^`, branch).split("\n");

test.each(sampled(["git", "api"], 1))(
  "a task that blocks at the end is BLOCKED in the pull request, in the bytes of the work tree (%s)",
  async (commits) => {
    await using origin = await createTeam(commits);
    const machine = origin.copy("blocked");
    const local = readFileSync(join(origin.project.root, file("T-002")), "utf8");
    expect(local).toContain("## Status: BLOCKED\n");
    const publisher = createPublisher(machine);
    expect(await publisher.publish()).toMatchObject({ pull: { kind: "created", draft: true } });
    expect(shown(machine, file("T-001"))).toContain("## Status: COMPLETED\n");
    expect(shown(machine, file("T-002"))).toBe(local);
    expect(changed(machine)).toEqual([
      expect.stringMatching(/^\.ralph\/autopilot\/runs\//),
      file("T-002"),
    ]);
    const tip = machine.remoteGit("rev-parse", branch);
    expect(await publisher.publish()).toMatchObject({ branch: { kind: "up-to-date" } });
    expect(machine.remoteGit("rev-parse", branch)).toBe(tip);
  },
);

thorough.each(["git", "api"])(
  "the task's file says COMPLETED when a resumption has passed it (%s)",
  async (commits) => {
    await using origin = await createTeam(commits);
    const machine = origin.copy("resumed");
    const publisher = createPublisher(machine);
    await publisher.publish();
    const { project } = origin;
    writeFileSync(join(project.folder, "bin/can"), "");
    const { exitCode, stderr, state } = await project.run("--resume");
    expect(exitCode, stderr).toBe(0);
    rmSync(machine.bundle, { recursive: true });
    cpSync(sessionFolders(project.stateDir).at(-1) ?? "", machine.bundle, { recursive: true });
    expect(await publisher.publish()).toMatchObject({ pull: { kind: "adopted", draft: false } });
    const completed = project.git("show", `${state.head}:${file("T-002")}`);
    expect(completed).toContain("## Status: COMPLETED\n");
    expect(shown(machine, file("T-002"))).toBe(`${completed}\n`);
  },
);

test("a commit that changes more of a task's file counts as a person's", async () => {
  await using origin = await createTeam("git");
  const machine = origin.copy("forged");
  const publisher = createPublisher(machine);
  await publisher.publish();
  const { remoteGit, checkout } = machine;
  const identity = ["-c", "user.name=ralph", "-c", "user.email=ralph@users.noreply.github.com"];
  const git = (...args: string[]) => remoteGit("-C", checkout, ...identity, ...args);
  git("fetch", "-q", "origin", branch);
  git("checkout", "-q", "-B", "mine", "FETCH_HEAD");
  writeFileSync(join(checkout, file("T-001")), "## Status: BLOCKED\n\n# Another\n");
  git("commit", "-qa", "-m", git("log", "-1", "--format=%s"));
  git("push", "-q", "origin", `mine:${branch}`);
  const theirs = remoteGit("rev-parse", branch);
  await expect(publisher.publish()).rejects.toMatchObject({ reason: "git" });
  expect(remoteGit("rev-parse", branch)).toBe(theirs);
});

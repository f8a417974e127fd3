import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  createPublishedProject,
  type Machine,
  type PublishedProject,
} from "../support/github-api/published-project.ts";
import { createPublisher } from "../support/github-api/publishing-session.ts";
import { branch, sessionFolders } from "../support/project.ts";
import { task } from "../support/run.ts";

const two = [task("T-001"), task("T-002")];

/** T-002 is left undone until somebody says that it can be done. */
const lazy = `[ "$task" != T-002 ] || [ -e "$(dirname "$0")/can" ] || { signal task-done; exit 0; }
honest`;

const createHalf = () =>
  createPublishedProject({ tasks: two, agent: lazy, config: { limits: { max_iterations: 1 } } });

/** The session as it is now, in place of the one that was published before. */
function takeAgain({ project }: PublishedProject, { bundle }: Machine): void {
  rmSync(bundle, { recursive: true });
  cpSync(sessionFolders(project.stateDir).at(-1) ?? "", bundle, { recursive: true });
}

const subjects = ({ remoteGit }: Machine) =>
  remoteGit("log", "--format=%s", `main..${branch}`).replace(/\d{8}-\d{6}-\w+/, "ID");

test("half the tasks make a draft whose record says so; the rest follows in the place of the record", async () => {
  await using origin = await createHalf();
  const machine = origin.copy("half");
  const publisher = createPublisher(machine);
  expect(await publisher.publish()).toMatchObject({ pull: { kind: "created", draft: true } });
  expect(publisher.lines).toContain("Pull request #1 is a draft: 1 of 2 tasks passed.");
  expect(publisher.fake.state.checkRuns).toMatchObject([{ conclusion: "failure" }]);
  expect(subjects(machine)).toMatch(/^chore\(ralph\): run record of ID\nfeat\(T-001\).*$/);
  const [path = ""] = machine.remoteGit("diff", "--name-only", `${branch}^`, branch).split("\n");
  expect(JSON.parse(machine.remoteGit("show", `${branch}:${path}`))).toMatchObject({
    status: "failed",
    tasks_completed: 1,
    tasks_total: 2,
  });

  writeFileSync(join(origin.project.folder, "bin/can"), "");
  const { exitCode, stderr } = await origin.project.run("--resume");
  expect(exitCode, stderr).toBe(0);
  takeAgain(origin, machine);
  expect(await publisher.publish()).toMatchObject({ pull: { kind: "adopted", draft: false } });
  expect(subjects(machine)).toMatch(
    /^chore\(ralph\): run record of ID\nfeat\(T-002\).*\nfeat\(T-001\).*$/,
  );
  expect(publisher.fake.state.comments).toHaveLength(1);
  expect(publisher.fake.state.comments[0]?.body).toContain("2 of 2 passed");
});

test("a session out of time gets its draft, and its record only when it is over", async () => {
  await using origin = await createPublishedProject({
    tasks: two,
    agent: `[ "$task" != T-002 ] || [ -e "$(dirname "$0")/can" ] || {
  echo "Claude AI usage limit reached|$(($(date +%s) + 90000))"; exit 1; }
honest`,
    config: { limits: { max_iterations: 3 } },
  });
  const machine = origin.copy("checkpoint");
  const publisher = createPublisher(machine);
  await publisher.publish();
  expect(publisher.lines).toContain("Pull request #1 is a draft: the session goes on.");
  expect(publisher.fake.state.checkRuns).toMatchObject([{ conclusion: "neutral" }]);
  expect(subjects(machine)).toMatch(/^feat\(T-001\).*$/);
  expect(machine.remoteGit("rev-parse", branch)).toBe(origin.committed.at(-1)?.commit);
});

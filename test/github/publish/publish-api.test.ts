import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampled, thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import {
  createPublishedProject,
  type Machine,
  type PublishedProject,
} from "../../support/github/published-project.ts";
import {
  createPublisher,
  type Publisher,
  type Watch,
} from "../../support/github/publishing-session.ts";
import { branch } from "../../support/project/project.ts";

let origin: PublishedProject;
beforeAll(async () => {
  const tasks = [task("T-001"), task("T-002")];
  origin = await createPublishedProject({ tasks, config: { commits: "api" } });
});
afterAll(() => origin[Symbol.asyncDispose]());

const head = () => origin.committed.at(-1)?.commit ?? "";
const log = ({ remoteGit }: Machine, format: string) =>
  remoteGit("log", "--reverse", `--format=${format}`, `main..${branch}`).split("\n");
const localLog = (format: string) =>
  origin.project.git("log", "--reverse", `--format=${format}`, `main..${head()}`).split("\n");

const writes = [
  ...["POST git/trees", "POST git/commits", "POST git/trees", "POST git/commits", "POST git/refs"],
  "POST pulls",
  ...["POST git/trees", "POST git/commits", "PATCH git/refs/{ref}"],
  "mutation",
  "POST issues/{issue_number}/comments",
  "POST check-runs",
];

/** The same trees and messages as locally, made and signed by GitHub, with the record on top. */
function expectWhole(machine: Machine, { fake }: Publisher): void {
  const { pulls, comments, checkRuns } = fake.state;
  const tip = machine.remoteGit("rev-parse", branch);
  expect(log(machine, "%T %s").slice(0, -1)).toEqual(localLog("%T %s"));
  expect(log(machine, "%s").at(-1)).toMatch(/^chore\(ralph\): run record of /);
  for (const id of log(machine, "%H")) {
    expect(machine.remoteGit("cat-file", "commit", id)).toMatch(/github-actions\[bot\].*gpgsig/s);
  }
  expect(pulls).toMatchObject([{ draft: false, head: { ref: branch } }]);
  expect(comments).toHaveLength(1);
  expect(checkRuns).toMatchObject([{ head_sha: tip, conclusion: "success" }]);
}

/** After a kill nothing more happens. */
function killedBefore(at: number): Watch {
  let acts = 0;
  return {
    before: () => {
      if (acts++ >= at) throw new Error("killed");
    },
  };
}

describe("with `commits: api` a session", () => {
  test("is made by GitHub, with no push at all; a second time nothing is sent", async () => {
    const machine = origin.copy("whole");
    const publisher = createPublisher(machine);
    const first = await publisher.publish();
    expect(publisher.acts).toEqual(writes);
    expectWhole(machine, publisher);
    const [, second = ""] = log(machine, "%H");
    expect(first).toMatchObject({ branch: { kind: "pushed", commit: second } });
    expect(await publisher.publish()).toMatchObject({
      branch: { kind: "up-to-date", commit: second },
    });
    expect(publisher.acts).toEqual(writes);
    expect(publisher.fake.violations).toEqual([]);
  });

  thorough("shows GitHub's commit ids in the log and in its pull request", async () => {
    const machine = origin.copy("ids");
    const publisher = createPublisher(machine);
    await publisher.publish();
    const [first = "", second = ""] = log(machine, "%H").map((id) => id.slice(0, 12));
    const [local = "", other = ""] = localLog("%H").map((id) => id.slice(0, 12));
    expect(publisher.lines[0]).toBe(
      `GitHub made 2 commits with new ids: ${local} is ${first}, ${other} is ${second}.`,
    );
    expect(publisher.lines[1]).toBe(`Pushed ${branch}, now at ${second}.`);
    const body = publisher.fake.state.pulls[0]?.body ?? "";
    expect(body).toContain(first.slice(0, 7));
    expect(body).not.toContain(local.slice(0, 7));
  });

  test.each(
    sampled(
      writes.map((_, at) => at),
      1,
    ),
  )("killed before act %i is complete after another try", async (at) => {
    const machine = origin.copy(`killed-${at}`);
    const publisher = createPublisher(machine);
    await expect(publisher.publish({}, killedBefore(at))).rejects.toThrow("killed");
    await publisher.publish();
    expectWhole(machine, publisher);
  });

  thorough("keeps a person's commits on top of it: exit 14", async () => {
    const machine = origin.copy("person");
    const publisher = createPublisher(machine);
    await publisher.publish();
    const theirs = machine.personPushes(branch);
    await expect(publisher.publish()).rejects.toMatchObject({ reason: "git" });
    expect(machine.remoteGit("rev-parse", branch)).toBe(theirs);
  });

  thorough("keeps its record when another proof makes a second one", async () => {
    const machine = origin.copy("proved-later");
    const publisher = createPublisher(machine);
    await publisher.publish({ acceptsInPlace: false });
    const record = machine.remoteGit("rev-parse", branch);
    await publisher.publish({ acceptsInPlace: false, proof: "clean_room" });
    expect(machine.remoteGit("rev-parse", `${branch}^`)).toBe(record);
    await publisher.publish({ acceptsInPlace: false, proof: "clean_room" });
    expect(machine.remoteGit("rev-parse", `${branch}^`)).toBe(record);
  });

  test("is not published to a folder on this machine: exit 1", async () => {
    const machine = origin.copy("folder");
    await expect(machine.publish()).rejects.toMatchObject({
      reason: "config",
      remedy: expect.stringContaining("`commits: git`"),
    });
  });

  thorough("made with a person's token is reported as not verified", async () => {
    const machine = origin.copy("unsigned");
    const publisher = createPublisher(machine, { viewer: { login: "ada", type: "User" } });
    await publisher.publish();
    expect(publisher.lines[1]).toMatch(/does not show them as verified \(unsigned\)/);
  });
});

import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import {
  createPublishedProject,
  type Machine,
  type PublishedProject,
} from "../../support/github/published-project.ts";
import { createPublisher, type Publisher } from "../../support/github/publishing-session.ts";
import { branch, sessionFolders } from "../../support/project/project.ts";

let origin: PublishedProject;
beforeAll(async () => {
  origin = await createPublishedProject();
});
afterAll(() => origin[Symbol.asyncDispose]());

const head = () => origin.committed.at(-1)?.commit ?? "";
const tipOf = ({ remoteGit }: Machine) =>
  remoteGit("for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`);
const dropBranch = ({ remoteGit }: Machine) =>
  void remoteGit("update-ref", "-d", `refs/heads/${branch}`);

/** Acts right after the first effect of that name. */
function rightAfter(effect: string, act: () => void) {
  let isDone = false;
  const after = (seen: string) => {
    if (seen !== effect || isDone) return;
    isDone = true;
    act();
  };
  return { after };
}

/** As on GitHub, when a person merges or closes and the repository deletes such branches. */
function decide(machine: Machine, { fake }: Publisher, mergedAt: string | null): void {
  Object.assign(fake.state.pulls[0] ?? {}, { state: "closed", merged_at: mergedAt });
  dropBranch(machine);
}

describe("between the pull request and the record", () => {
  test.each([
    ["merged", "2026-01-25T16:00:00Z"],
    ["rejected", null],
  ])(
    "a pull request that is %s with its branch deleted ends the publication without a failure",
    async (kind, at) => {
      const machine = origin.copy(`meanwhile-${kind}`);
      const publisher = createPublisher(machine);
      const watch = rightAfter("POST pulls", () => decide(machine, publisher, at));
      expect(await publisher.publish({}, watch)).toMatchObject({ pull: { kind, number: 1 } });
      expect(tipOf(machine)).toBe("");
      expect(publisher.acts).not.toContain("mutation");
    },
  );

  test("a deleted branch stays deleted: exit 14; another try pushes it again", async () => {
    const machine = origin.copy("deleted");
    const publisher = createPublisher(machine);
    const watch = rightAfter("POST pulls", () => dropBranch(machine));
    await expect(publisher.publish({}, watch)).rejects.toMatchObject({
      reason: "git",
      message: expect.stringContaining(`The branch ${branch} of the remote was deleted`),
    });
    expect(tipOf(machine)).toBe("");
    expect(await publisher.publish()).toMatchObject({ pull: { kind: "adopted", draft: false } });
    expect(machine.remoteGit("rev-parse", `${branch}^`)).toBe(head());
  });

  test("a person's push is kept: exit 14, and only the record is missing", async () => {
    const machine = origin.copy("pushed");
    const publisher = createPublisher(machine);
    let theirs = "";
    const watch = rightAfter("POST pulls", () => {
      theirs = machine.personPushes(branch);
    });
    await expect(publisher.publish({}, watch)).rejects.toMatchObject({
      reason: "git",
      message: expect.stringMatching(/session's commits were pushed, the record was not/),
    });
    expect(tipOf(machine)).toBe(theirs);
    expect(machine.remoteGit("rev-parse", `${branch}^`)).toBe(head());
  });

  test("a pull request that is closed with its branch kept is not marked ready", async () => {
    const machine = origin.copy("closed");
    const publisher = createPublisher(machine);
    const watch = rightAfter("POST pulls", () => {
      Object.assign(publisher.fake.state.pulls[0] ?? {}, { state: "closed" });
    });
    await publisher.publish({}, watch);
    expect(publisher.fake.state.pulls).toMatchObject([{ state: "closed", draft: true }]);
  });
});

describe("a protected branch", () => {
  const refusal = "remote: error: GH006: Protected branch update failed for refs/heads/x.";
  /** A rule of the repository, as its hook sees it. */
  const protect = ({ bare }: Machine, condition: string) =>
    writeFileSync(
      join(bare, "hooks/pre-receive"),
      `#!/bin/sh\nread old new ref\nif ${condition}; then echo "${refusal}" >&2; exit 1; fi\n`,
      { mode: 0o755 },
    );

  test("is an error that names the setting, and nothing is opened", async () => {
    const machine = origin.copy("protected");
    protect(machine, "true");
    const publisher = createPublisher(machine);
    await expect(publisher.publish()).rejects.toMatchObject({
      reason: "git",
      message: expect.stringContaining("GH006"),
      remedy: expect.stringContaining("in the repository's rules"),
    });
    expect(tipOf(machine)).toBe("");
    expect(publisher.fake.state.pulls).toEqual([]);
  });

  test("that accepts no second push keeps the work and the draft; the rest follows once allowed", async () => {
    const machine = origin.copy("protected-later");
    protect(machine, '[ "$old" != 0000000000000000000000000000000000000000 ]');
    const publisher = createPublisher(machine);
    await expect(publisher.publish()).rejects.toMatchObject({ reason: "git" });
    expect(tipOf(machine)).toBe(head());
    expect(publisher.fake.state.pulls).toMatchObject([{ state: "open", draft: true }]);
    rmSync(join(machine.bare, "hooks/pre-receive"));
    expect(await publisher.publish()).toMatchObject({ pull: { kind: "adopted", draft: false } });
  });
});

thorough("a new session on top of a published one continues after its record", async () => {
  const agent = `[ "$task" != T-002 ] || [ -e "$(dirname "$0")/can" ] || { signal task-done; exit 0; }
honest`;
  const tasks = [task("T-001"), task("T-002")];
  const config = { limits: { max_iterations: 1 } };
  await using half = await createPublishedProject({ tasks, agent, config });
  const machine = half.copy("next");
  await createPublisher(machine).publish();
  const record = tipOf(machine);
  writeFileSync(join(half.project.folder, "bin/can"), "");
  const { exitCode, stderr, state } = await half.project.run();
  expect(exitCode, stderr).toBe(0);
  expect(state.session.start.commit).toBe(half.committed.at(-1)?.commit);
  rmSync(machine.bundle, { recursive: true });
  cpSync(sessionFolders(half.project.stateDir).at(-1) ?? "", machine.bundle, { recursive: true });
  half.project.gitIn(machine.checkout, "fetch", "-q");
  const trust = { revisions: [`refs/remotes/origin/${branch}`], config: ".ralph/ralph.yml" };
  const publisher = createPublisher(machine);
  expect(await publisher.publish({ trust })).toMatchObject({ branch: { kind: "pushed" } });
  expect(machine.remoteGit("rev-parse", `${branch}~1^1`, `${branch}~1^2`).split("\n")).toEqual([
    record,
    state.head,
  ]);
});

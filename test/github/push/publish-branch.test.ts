import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Addition, forgeBundle, rewriteJournal } from "../../support/github/forge-bundle.ts";
import {
  createPublishedProject,
  type Machine,
  type PublishedProject,
} from "../../support/github/published-project.ts";
import { branch } from "../../support/project/project.ts";

let origin: PublishedProject;
beforeAll(async () => {
  origin = await createPublishedProject();
});
afterAll(() => origin[Symbol.asyncDispose]());

const head = () => origin.committed.at(-1)?.commit ?? "";
const forge = ({ bundle }: Machine, additions: Addition[], words = {}) =>
  forgeBundle({ root: origin.project.root, bundle, additions, words });
const tipOf = (git: (...args: string[]) => string) =>
  git("for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`);

describe("a session's branch", () => {
  test("is pushed from a fresh clone, and a second time nothing happens", async () => {
    const machine = origin.copy("pushed");
    const commit = head();
    expect(await machine.publish()).toMatchObject({ branch, commit, kind: "pushed", flagged: [] });
    expect(tipOf(machine.remoteGit)).toBe(commit);
    expect(await machine.publish()).toMatchObject({ branch, commit, kind: "up-to-date" });
    expect(machine.remoteGit("fsck", "--strict")).toBe("");
  });

  test("moves forward from the start commit, if it was pushed before", async () => {
    const machine = origin.copy("moved-on");
    machine.remoteGit("update-ref", `refs/heads/${branch}`, "main");
    expect(await machine.publish()).toMatchObject({ kind: "pushed" });
    expect(tipOf(machine.remoteGit)).toBe(head());
  });

  test("moves forward from earlier work that was merged before the session began", async () => {
    const machine = origin.copy("merged");
    machine.remoteGit("update-ref", `refs/heads/${branch}`, "main~1");
    expect(await machine.publish()).toMatchObject({ kind: "pushed" });
    expect(tipOf(machine.remoteGit)).toBe(head());
  });

  test("stays where a person pushed to it, and both commits are named", async () => {
    const machine = origin.copy("person");
    const theirs = machine.personPushes(branch);
    await expect(machine.publish()).rejects.toMatchObject({
      reason: "git",
      message: expect.stringContaining(theirs),
    });
    await expect(machine.publish()).rejects.toThrow(head());
    expect(tipOf(machine.remoteGit)).toBe(theirs);
  });

  test("stays where a person pushed on top of it", async () => {
    const machine = origin.copy("on-top");
    await machine.publish();
    const theirs = machine.personPushes(branch);
    await expect(machine.publish()).rejects.toThrow(theirs);
    expect(tipOf(machine.remoteGit)).toBe(theirs);
  });

  test("is never the base branch or the remote's default branch", async () => {
    const machine = origin.copy("base");
    forge(machine, [], { [branch]: "main" });
    await expect(machine.publish()).rejects.toThrow(/base or default branch/);
    const other = origin.copy("default");
    other.remoteGit("update-ref", `refs/heads/${branch}`, "main");
    other.remoteGit("symbolic-ref", "HEAD", `refs/heads/${branch}`);
    await expect(other.publish()).rejects.toThrow(/base or default branch/);
    expect(tipOf(other.remoteGit)).toBe(other.remoteGit("rev-parse", "main"));
  });

  test("must be named by the start commit or the caller", async () => {
    const machine = origin.copy("names");
    rewriteJournal(machine.bundle, { [branch]: "release/1" });
    await expect(machine.publish()).rejects.toThrow(/"release\/1", but ralph\/example or main/);
  });
});

describe("a bundle", () => {
  test("that fails its audit is refused, with the problems", async () => {
    const machine = origin.copy("unsound");
    const [evidence = ""] = readdirSync(join(machine.bundle, "evidence"));
    rmSync(join(machine.bundle, "evidence", evidence));
    await expect(machine.publish()).rejects.toMatchObject({
      reason: "tampering",
      message: expect.stringContaining(evidence),
    });
    expect(tipOf(machine.remoteGit)).toBe("");
  });

  test.each<[string, (bundle: string) => void]>([
    ["without a journal", (bundle) => rmSync(join(bundle, "journal.jsonl"))],
    ["with a broken journal", (bundle) => writeFileSync(join(bundle, "journal.jsonl"), "{}\n")],
  ])("%s is refused", async (what, damage) => {
    const machine = origin.copy(what.replaceAll(" ", "-"));
    damage(machine.bundle);
    await expect(machine.publish()).rejects.toMatchObject({ reason: "source" });
  });

  test("that began outside trusted history is refused, whatever the checkout holds", async () => {
    const machine = origin.copy("imposter");
    origin.project.gitIn(machine.checkout, "reset", "-q", "--hard", "HEAD~1");
    await expect(machine.publish()).rejects.toMatchObject({
      reason: "git",
      message: expect.stringMatching(/is not in the history of HEAD/),
      remedy: expect.stringContaining("fetch-depth: 0"),
    });
  });

  test("is published from a shallow clone whose tip is the start commit", async () => {
    const machine = origin.copy("shallow");
    rmSync(machine.checkout, { recursive: true });
    const clone = ["clone", "-q", "--depth=1", `file://${machine.bare}`, machine.checkout];
    origin.project.gitIn(machine.bundle, ...clone);
    expect(await machine.publish()).toMatchObject({ kind: "pushed", commit: head() });
  });
});

const workflow = { path: ".github/workflows/x.yml", content: "on: push\n" };
const token = `ghp_${"a1B2".repeat(9)}`;
const hostile: [what: string, additions: Addition[], rule: string][] = [
  ["a workflow", [workflow], "protected"],
  ["a link out of the repository", [{ path: "x", content: "/etc", mode: "120000" }], "link"],
  ["another repository", [{ path: "x", content: "1".repeat(40), mode: "160000" }], "mode"],
  ["a token", [{ path: "x.txt", content: `key = ${token}\n` }], "secret"],
  [
    "a file that is too large",
    [{ path: "x.bin", content: "x".repeat(2 ** 20 + 1) }],
    "max_file_bytes",
  ],
  [
    "learnings no agent reported",
    [{ path: "AGENTS.md", content: "Obey.\n", isUnproved: true }],
    "bookkeeping",
  ],
];

describe("a forged bundle that passes its audit", () => {
  test.each(hostile)("with %s does not pass the firewall", async (what, additions, rule) => {
    const machine = origin.copy(what.replaceAll(" ", "-"));
    forge(machine, additions);
    const refusal = await machine.publish().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ reason: "firewall", exitCode: 25 });
    expect(refusal).toMatchObject({
      problems: expect.arrayContaining([
        { file: additions[0]?.path, message: expect.stringContaining(`(${rule})`) },
      ]),
    });
    expect(JSON.stringify(refusal)).not.toContain(token);
    expect(tipOf(machine.remoteGit)).toBe("");
  });

  test("with nothing hostile passes, and a new program is flagged", async () => {
    const machine = origin.copy("harmless");
    const additions = [{ path: "tool.sh", content: "#!/bin/sh\n", mode: "100755" }];
    const commit = forge(machine, additions);
    expect(await machine.publish()).toMatchObject({
      branch,
      commit,
      kind: "pushed",
      flagged: [{ path: "tool.sh", rule: "executable", message: "has become executable" }],
    });
  });

  test("with a secret of this job is refused in any encoding", async () => {
    const machine = origin.copy("encoded");
    const secret = "correct-horse-battery-9";
    const content = Buffer.from(`x${secret}`).toString("base64");
    const additions = [{ path: "x.txt", content }];
    forge(machine, additions);
    await expect(machine.publish({ secrets: [secret] })).rejects.toMatchObject({
      problems: [{ file: "x.txt", message: "holds a secret of this job (secret)" }],
    });
  });
});

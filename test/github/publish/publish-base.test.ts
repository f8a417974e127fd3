import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HeadProof } from "../../../src/core/checks/prove.ts";
import { parseHandedProof, renderHandedProof } from "../../../src/github/artifacts/handed-proof.ts";
import { proveHead } from "../../../src/session/clean-room/prove-head.ts";
import { locateProject } from "../../../src/session/open/locate-project.ts";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import {
  createPublishedProject,
  type Machine,
  type PublishedProject,
} from "../../support/github/published-project.ts";
import { createPublisher } from "../../support/github/publishing-session.ts";
import { branch } from "../../support/project/project.ts";

const acceptanceCriteria = ["It reads well", "Run `true` exits with 0"];

let origin: PublishedProject;
beforeAll(async () => {
  const tasks = [task("T-001", { acceptanceCriteria })];
  origin = await createPublishedProject({ tasks, gates: { check: "test ! -e broken.txt" } });
});
afterAll(() => origin[Symbol.asyncDispose]());

/** The clean room's result for a fresh clone of the remote, in the form passed between jobs. */
async function prove(machine: Machine): Promise<HeadProof> {
  const { system, checkout, bundle } = machine;
  origin.project.gitIn(checkout, "fetch", "-q", "origin");
  const place = await locateProject(system, checkout);
  const { signal: cancel } = new AbortController();
  return proveHead(system, { ...place, bundle, cancel, notice: () => {} });
}

const handedOver = (proof: HeadProof) =>
  ({ proof: "clean_room", proved: parseHandedProof(renderHandedProof(proof)) }) as const;

const bodyOf = ({ fake }: ReturnType<typeof createPublisher>) => fake.state.pulls[0]?.body ?? "";
const short = (commit: string) => `\`${commit.slice(0, 12)}\``;
const conflicting = { "src/T-001.txt": "of someone else\n" };

describe("a base branch that has moved on, and no clean room", () => {
  test("without a conflict is ready for review; the text says that no gate ran on the merge", async () => {
    const machine = origin.copy("in-place");
    const theirs = machine.personWrites("main", { "other.txt": "theirs\n" });
    const publisher = createPublisher(machine);
    expect(await publisher.publish()).toMatchObject({ pull: { draft: false } });
    expect(bodyOf(publisher)).toContain(
      `\`main\` has 1 new commit, up to ${short(theirs)}. It merges without a conflict; no gate has run on the merge.`,
    );
  });

  test("with a conflict stays a draft and names the files; once a person resolves it, it is ready", async () => {
    const machine = origin.copy("in-place-conflict");
    machine.personWrites("main", conflicting);
    const publisher = createPublisher(machine);
    expect(await publisher.publish()).toMatchObject({ pull: { kind: "created", draft: true } });
    expect(publisher.lines).toContain(
      "Pull request #1 is a draft: it conflicts with main in src/T-001.txt.",
    );
    expect(bodyOf(publisher)).toMatch(/\*\*Merge conflict\*\*: .*both sides changed `src\/T-001/);
    const ours = machine.remoteGit("show", `${branch}:src/T-001.txt`);
    machine.personWrites("main", { "src/T-001.txt": `${ours}\n` });
    expect(await publisher.publish()).toMatchObject({ pull: { kind: "adopted", draft: false } });
    expect(bodyOf(publisher)).not.toContain("Merge conflict");
  });

  test("whose history the clone lacks is no reason for a draft; the text says so", async () => {
    const machine = origin.copy("shallow");
    const tree = machine.remoteGit("rev-parse", "main^{tree}");
    const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    const other = machine.remoteGit(...identity, "commit-tree", tree, "-m", "another history");
    machine.remoteGit("update-ref", "refs/heads/main", other);
    // The test itself moves the branch.
    rmSync(`${machine.bare}/logs/refs/heads/main`);
    const publisher = createPublisher(machine);
    expect(await publisher.publish()).toMatchObject({ pull: { draft: false } });
    expect(bodyOf(publisher)).toContain("It is unknown whether this merges with the current");
  });
});

describe("a clean room", () => {
  thorough("with nothing to merge is shown for each gate and criterion", async () => {
    const machine = origin.copy("current");
    const proof = await prove(machine);
    expect(proof.base).toMatchObject({ kind: "current", branch: "main" });
    const publisher = createPublisher(machine);
    expect(await publisher.publish(handedOver(proof))).toMatchObject({ pull: { draft: false } });
    const body = bodyOf(publisher);
    expect(body).toContain("execution, clean room");
    expect(body).toMatch(/\| T-001 \| `check` \| passed \| .* \| passed \| [^|]+ \|\n/);
    expect(body).not.toContain("merge");
  });

  thorough("that proved the merge names the base commit, and the commits since", async () => {
    const machine = origin.copy("green");
    const first = machine.personWrites("main", { "other.txt": "theirs\n" });
    const proof = await prove(machine);
    expect(proof).toMatchObject({
      kind: "proved",
      base: { kind: "green", commit: first, gates: [{ name: "check", ok: true }] },
    });
    expect(proof.base?.criteria).toMatchObject([{ task: "T-001", ok: true }]);
    const publisher = createPublisher(machine);
    expect(await publisher.publish(handedOver(proof))).toMatchObject({ pull: { draft: false } });
    const proved = `Also proved on the merge with \`main\` at ${short(first)}`;
    expect(bodyOf(publisher)).toContain(`${proved}.`);
    machine.personWrites("main", { "again.txt": "theirs\n" });
    await publisher.publish(handedOver(proof));
    expect(bodyOf(publisher)).toContain(`${proved}; 1 later commit, without a conflict.`);
  });

  thorough(
    "whose merge fails does not refute the head, and the pull request stays a draft",
    async () => {
      const machine = origin.copy("red");
      machine.personWrites("main", { "broken.txt": "theirs\n" });
      const proof = await prove(machine);
      expect(proof).toMatchObject({ kind: "proved", base: { kind: "red" } });
      expect(proof.gates).toMatchObject([{ name: "check", ok: true }]);
      const publisher = createPublisher(machine);
      expect(await publisher.publish(handedOver(proof))).toMatchObject({ pull: { draft: true } });
      expect(publisher.lines).toContain(
        "Pull request #1 is a draft: gate check did not hold on the merge with main.",
      );
      expect(bodyOf(publisher)).toMatch(
        /\*\*Red on the merge with `main` at `\w+`\*\*: gate check\./,
      );
    },
  );

  thorough("with a conflict names its files, and so does the pull request", async () => {
    const machine = origin.copy("conflict");
    machine.personWrites("main", conflicting);
    const proof = await prove(machine);
    expect(proof).toMatchObject({
      kind: "proved",
      base: { kind: "conflict", conflicts: ["src/T-001.txt"], gates: [] },
    });
    const publisher = createPublisher(machine);
    expect(await publisher.publish(handedOver(proof))).toMatchObject({ pull: { draft: true } });
  });

  test("that proved another head is no proof: nothing is pushed", async () => {
    const machine = origin.copy("other");
    const proof = { ...(await prove(machine)), head: "0".repeat(40) };
    const publisher = createPublisher(machine);
    await expect(publisher.publish(handedOver(proof))).rejects.toMatchObject({
      reason: "source",
      message: expect.stringContaining("clean room proved 000000000000"),
    });
    expect(publisher.acts).toEqual([]);
  });
});

test("a base branch that was renamed is followed to the remote's default branch", async () => {
  const machine = origin.copy("renamed");
  machine.remoteGit("branch", "-m", "main", "trunk");
  machine.remoteGit("symbolic-ref", "HEAD", "refs/heads/trunk");
  const publisher = createPublisher(machine);
  expect(await publisher.publish()).toMatchObject({ pull: { kind: "created", draft: false } });
  expect(publisher.fake.state.pulls).toMatchObject([
    { head: { ref: branch }, base: { ref: "trunk" } },
  ]);
  expect(publisher.lines).toContain(
    "The remote has no branch main: the pull request goes to trunk.",
  );
});

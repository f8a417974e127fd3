import { appendFileSync, cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requireDigest } from "../../../src/action/checks/checks.ts";
import { replayJournal } from "../../../src/journal/journal.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project, sessionFolders } from "../../support/project/project.ts";

let project: Project;
let folders: string[] = [];
beforeAll(async () => {
  project = await createProject({ tasks: [task("T-001")] });
  await project.run();
  // Another session of the same repository, as whole and as honest as the first.
  project.git("switch", "-q", "main");
  project.git("branch", "-qD", "ralph/example");
  await project.run();
  folders = sessionFolders(project.stateDir);
});
afterAll(() => project[Symbol.asyncDispose]());

async function digestOf(folder: string): Promise<string> {
  const replay = await replayJournal(project.system.files(folder));
  return `${replay?.end.seq}:${replay?.end.hash}`;
}

const check = (bundle: string, digest: string | undefined) =>
  requireDigest({ ...project.system, env: { RALPH_JOURNAL_DIGEST: digest } }, bundle);

describe("the downloaded session", () => {
  test("is accepted with the digest of the agents' job", async () => {
    const [first = ""] = folders;
    await check(first, await digestOf(first));
  });

  test("is refused if another job has replaced it (T57)", async () => {
    const [first = "", second = ""] = folders;
    expect(second).not.toBe("");
    await expect(check(second, await digestOf(first))).rejects.toMatchObject({
      exitCode: 6,
      message: "The downloaded session differs from the one at the end of the agents' job.",
    });
    // Nothing else is wrong with it: without the digest it would have been taken.
    await check(second, undefined);
    await check(second, "");
  });

  test("is refused with a line less or a line more", async () => {
    const [first = ""] = folders;
    const digest = await digestOf(first);
    const lines = readFileSync(join(first, "journal.jsonl"), "utf8").trimEnd().split("\n");
    const shorter = copyOf(first, "shorter");
    await project.system
      .files(shorter)
      .write("journal.jsonl", `${lines.slice(0, -1).join("\n")}\n`);
    await expect(check(shorter, digest)).rejects.toMatchObject({ exitCode: 6 });
    const longer = copyOf(first, "longer");
    appendFileSync(join(longer, "journal.jsonl"), `${lines.at(-1)}\n`);
    await expect(check(longer, digest)).rejects.toMatchObject({ exitCode: 6 });
  });

  test("is refused if its folder is empty", async () => {
    await expect(check(join(project.folder, "none"), "1:ab")).rejects.toMatchObject({
      exitCode: 6,
    });
  });
});

function copyOf(folder: string, name: string): string {
  const copy = join(project.folder, name);
  cpSync(folder, copy, { recursive: true });
  return copy;
}

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { thorough } from "../setup/sampled.ts";
import { createInterruptedTemplate, interruptedProject } from "../support/crash/interrupted.ts";
import type { CrashTemplate } from "../support/crash/project.ts";
import { faultsAfter, sessionFolders } from "../support/crash/recovery.ts";

let template: CrashTemplate;
beforeAll(async () => {
  template = await createInterruptedTemplate();
});
afterAll(() => template[Symbol.asyncDispose]());

const resume = ["run", "--resume"];

describe.concurrent("interrupted work", () => {
  test("of a killed session is kept as a tree that is named; the next agent starts from the head", async () => {
    using project = await interruptedProject(template, "killed");
    const resumed = await project.ralph(resume);
    const tree = /work kept as tree ([0-9a-f]+)/.exec(resumed.output)?.[1] ?? "none";
    expect(await project.git("show", `${tree}:src/half.txt`)).toBe("half");
    expect(await faultsAfter(project, resumed)).toEqual([]);
  });

  thorough("of a cancelled session is kept at once, and the work tree put back", async () => {
    using project = await interruptedProject(template, "cancelled");
    expect(await project.git("status", "--porcelain")).toBe("");
    expect(existsSync(join(project.root, "src/half.txt"))).toBe(false);
    const kept = await project.git("for-each-ref", "--format=%(objectname)", "refs/ralph/kept");
    expect(await project.git("show", `${kept}:src/half.txt`)).toBe("half");
    expect(await faultsAfter(project, await project.ralph(resume))).toEqual([]);
  });

  thorough("takes the user's own edits along", async () => {
    using project = await interruptedProject(template, "cancelled");
    writeFileSync(join(project.root, "a.txt"), "mine\n");
    const resumed = await project.ralph(resume);
    const tree = /work kept as tree ([0-9a-f]+)/.exec(resumed.output)?.[1] ?? "none";
    expect(await project.git("show", `${tree}:a.txt`)).toBe("mine");
    expect(await faultsAfter(project, resumed)).toEqual([]);
  });

  thorough("does not exist where the user has only switched to another branch", async () => {
    using project = await interruptedProject(template, "cancelled");
    await project.git("switch", "-q", "-c", "side", "HEAD~1");
    const resumed = await project.ralph(resume);
    expect(resumed.output).not.toContain("work kept");
    expect(await faultsAfter(project, resumed)).toEqual([]);
  });
});

describe.concurrent("a branch that has moved on", () => {
  thorough("by a commit of the user's stops the session, and the way out works", async () => {
    using project = await interruptedProject(template, "cancelled");
    writeFileSync(join(project.root, "mine.txt"), "mine\n");
    await project.git("add", "mine.txt");
    await project.git("commit", "-qm", "mine");
    const tip = await project.git("rev-parse", "HEAD");
    const refused = await project.ralph(resume);
    expect(refused.code).toBe(14);
    expect(refused.output).toContain(`is at ${tip.slice(0, 12)}, a commit that session`);
    expect(await project.git("rev-parse", "HEAD")).toBe(tip);
    const [, head = ""] = /git reset --soft ([0-9a-f]+)/.exec(refused.output) ?? [];
    await project.git("reset", "--soft", head);
    const resumed = await project.ralph(resume);
    expect(resumed.output).toContain("work kept as tree");
    expect(await faultsAfter(project, resumed)).toEqual([]);
  });

  thorough("by an amended commit of ralph's counts as the user's as well", async () => {
    using project = await interruptedProject(template, "cancelled");
    await project.git("commit", "-q", "--amend", "--no-edit", "--date=2020-01-01T00:00:00");
    const tip = await project.git("rev-parse", "HEAD");
    expect((await project.ralph(resume)).code).toBe(14);
    expect(await project.git("rev-parse", "HEAD")).toBe(tip);
  });

  thorough("is taken by a new session, in which what has passed stays passed", async () => {
    using project = await interruptedProject(template, "cancelled");
    await project.git("commit", "-q", "--allow-empty", "-m", "mine");
    expect((await project.ralph(["run"])).code).toBe(0);
    const log = await project.git("log", "--format=%s", "main..HEAD");
    expect(log.match(/feat\(T-\d{3}\)/g)).toEqual(["feat(T-003)", "feat(T-002)", "feat(T-001)"]);
  });
});

thorough("an edited list is taken over; a pass survives only with equal criteria", async () => {
  using project = await interruptedProject(template, "cancelled");
  const file = join(project.root, ".ralph/prd.json");
  const prd = JSON.parse(readFileSync(file, "utf8"));
  prd.tasks[0].acceptanceCriteria.push("It is longer");
  prd.tasks.push({ ...prd.tasks[2], id: "T-004", priority: 4, acceptanceCriteria: ["It exists"] });
  writeFileSync(file, JSON.stringify(prd, null, 2));
  await project.git("commit", "-qam", "more to do");
  const resumed = await project.ralph(resume);
  expect(resumed.code, resumed.output).toBe(0);
  const commits = await project.git("log", "--reverse", "--format=%s", "main..HEAD");
  expect(commits.split("\n").slice(1).join()).toBe(
    "feat(T-001): Write T-001,more to do,feat(T-001): Write T-001,feat(T-002): Write T-002,feat(T-003): Write T-003,feat(T-004): Write T-003",
  );
  const journal = readFileSync(join(project.session, "journal.jsonl"), "utf8");
  expect(journal.match(/"type":"tasks_reloaded"/g)).toHaveLength(1);
});

thorough(
  "a head that no longer holds ends the session with exit 4, and says what it is",
  async () => {
    using project = await interruptedProject(template, "cancelled");
    writeFileSync(join(project.root, "../broken"), "");
    const resumed = await project.ralph(resume);
    rmSync(join(project.root, "../broken"));
    expect(resumed.code, resumed.output).toBe(4);
    expect(resumed.output).toContain('gate "whole" fails');
    expect(await faultsAfter(project, await project.ralph(resume))).toEqual([]);
  },
);

describe.concurrent("a plain run after an unfinished session", () => {
  thorough("stops at its work in the tree and names --resume", async () => {
    using project = await interruptedProject(template, "killed");
    const { code, output } = await project.ralph(["run"]);
    expect(code).toBe(14);
    expect(output).toContain("src/half.txt");
    expect(output).toContain("`ralph run --resume`");
    expect(existsSync(join(project.root, "src/half.txt"))).toBe(true);
  });

  thorough("starts a new one on a clean tree and keeps the old files", async () => {
    using project = await interruptedProject(template, "cancelled");
    const { code, output } = await project.ralph(["run"]);
    expect(code, output).toBe(0);
    expect(output).toContain("stop with Ctrl-C and run `ralph run --resume`");
    expect(sessionFolders(project.stateDir)).toHaveLength(2);
    expect(existsSync(join(project.session, "objects.pack"))).toBe(true);
  });
});

describe.concurrent("what cannot be resumed", () => {
  test("when nothing is unfinished is said so", async () => {
    using project = template.copy("nothing");
    const { code, output } = await project.ralph(resume);
    expect(code).toBe(2);
    expect(output).toContain("no unfinished session");
  });

  test("a changed journal ends with exit 6; a new session is not held up by it", async () => {
    using project = await interruptedProject(template, "cancelled");
    const file = join(project.session, "journal.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").replace("Write T-003", "Write T-009"));
    expect((await project.ralph(resume)).code).toBe(6);
    expect((await project.ralph(["run"])).code).toBe(0);
  });

  thorough("a session killed before its journal does not hide the one before", async () => {
    using project = await interruptedProject(template, "cancelled");
    mkdirSync(join(project.session, "../29991231-235959-abcdef/evidence"), { recursive: true });
    expect((await project.ralph(resume)).output).toContain("T-003 passed");
  });
});

import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CrashTemplate } from "../support/crash-project.ts";
import { faultsAfter, sessionFolders } from "../support/crash-recovery.ts";
import {
  createInterruptedTemplate,
  type Interrupted,
  interruptedProject,
} from "../support/interrupted.ts";

let template: CrashTemplate;
/** The session that is carried elsewhere: cancelled in T-002, its `.ralph` files pushed with the start commit. */
let origin: Interrupted;
beforeAll(async () => {
  template = await createInterruptedTemplate();
  origin = await interruptedProject(template, "cancelled");
});
afterAll(() => template[Symbol.asyncDispose]());

/** A fresh clone on another machine, at the session's start, with the bundle beside it. */
async function freshClone(name: string) {
  const folder = join(template.folder, name);
  const root = join(folder, "project");
  mkdirSync(folder);
  const start = await origin.git("rev-parse", "HEAD~1");
  await origin.git("clone", "-q", "--no-local", origin.root, root);
  const clone = origin.elsewhere({ root, stateDir: join(folder, "state") });
  // Nothing of the session is in the clone, but what the start commit holds.
  await clone.git("checkout", "-q", "-B", "ralph/crash", start);
  await clone.git("remote", "remove", "origin");
  await clone.git("update-ref", "refs/heads/main", "HEAD~1");
  const bundle = join(folder, "bundle");
  cpSync(origin.session, bundle, { recursive: true });
  return { clone, bundle };
}

describe.concurrent("a bundle on a fresh clone", () => {
  test("is gone on with, and nothing that passed is done again", async () => {
    const { clone, bundle } = await freshClone("clone");
    const resumed = await clone.ralph(["run", "--resume", bundle]);
    expect(resumed.output).not.toContain("work kept");
    expect(await faultsAfter(clone, resumed)).toEqual([]);
  });

  test("brings the interrupted work with it", async () => {
    const { clone, bundle } = await freshClone("kept");
    await clone.ralph(["run", "--resume", bundle]);
    const journal = readFileSync(join(bundle, "journal.jsonl"), "utf8");
    const [, tree] = /"type":"work_kept","tree":"([0-9a-f]+)"/.exec(journal) ?? [];
    expect(await clone.git("show", `${tree}:src/half.txt`)).toBe("half");
  });

  test("makes the session's branch where only another is checked out", async () => {
    const { clone, bundle } = await freshClone("other");
    await clone.git("switch", "-q", "-c", "work");
    await clone.git("branch", "-q", "-D", "ralph/crash");
    const resumed = await clone.ralph(["run", "--resume", bundle]);
    expect(await faultsAfter(clone, resumed)).toEqual([]);
  });

  test("may not bring along the commit it says it began at, whose rules it would go by", async () => {
    const { clone, bundle } = await freshClone("imposter");
    const [head, start] = await Promise.all([
      origin.git("rev-parse", "HEAD"),
      origin.git("rev-parse", "HEAD~1"),
    ]);
    const args = ["pack-objects", "--revs", "--stdout", "-q"];
    const input = `${head}\n^${start}~1\n`;
    const pack = execFileSync("git", args, { cwd: origin.root, input });
    writeFileSync(join(bundle, "objects.pack"), pack);
    rmSync(clone.root, { recursive: true });
    const url = `file://${origin.root}`;
    await origin.git("clone", "-q", "--single-branch", "-b", "main", url, clone.root);
    mkdirSync(join(clone.root, ".ralph"));
    for (const path of [".ralph/ralph.yml", ".ralph/prd.json"]) {
      writeFileSync(join(clone.root, path), await origin.git("show", `${start}:${path}`));
    }
    await clone.git("add", "-A");
    await clone.git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "my own rules");
    const refused = await clone.ralph(["run", "--resume", bundle]);
    expect(refused.code).toBe(14);
    expect(refused.output).toContain(`${start.slice(0, 12)}, which this clone does not have`);
  });

  test("does not touch work that is not committed", async () => {
    const { clone, bundle } = await freshClone("dirty");
    writeFileSync(join(clone.root, "mine.txt"), "mine\n");
    expect((await clone.ralph(["run", "--resume", bundle])).code).toBe(14);
    expect(readFileSync(join(clone.root, "mine.txt"), "utf8")).toBe("mine\n");
  });
});

const anyEvidence = (bundle: string) =>
  join(bundle, "evidence", readdirSync(join(bundle, "evidence"))[3] ?? "");

const damages: [what: string, exitCode: number, damage: (bundle: string) => void][] = [
  ["a renamed piece of evidence", 6, (bundle) => cpAway(anyEvidence(bundle), "f".repeat(64))],
  ["changed evidence", 6, (bundle) => writeFileSync(anyEvidence(bundle), "changed")],
  ["a link for evidence", 2, (bundle) => linkAway(anyEvidence(bundle))],
  ["a link for the journal", 2, (bundle) => linkAway(join(bundle, "journal.jsonl"))],
  ["no pack", 2, (bundle) => rmSync(join(bundle, "objects.pack"))],
  ["a broken pack", 2, (bundle) => writeFileSync(join(bundle, "objects.pack"), "PACK")],
  ["no journal", 2, (bundle) => rmSync(join(bundle, "journal.jsonl"))],
  [
    "a changed line",
    6,
    (bundle) => edit(join(bundle, "journal.jsonl"), "Write T-003", "Write T-000"),
  ],
  [
    "a line left out",
    6,
    (bundle) => edit(join(bundle, "journal.jsonl"), /\n.*"task_start".*\n/, "\n"),
  ],
];

function cpAway(path: string, name: string): void {
  cpSync(path, join(dirname(path), name));
  rmSync(path);
}

function linkAway(path: string): void {
  cpSync(path, `${path}.real`);
  rmSync(path);
  symlinkSync(`${path}.real`, path);
}

function edit(path: string, from: string | RegExp, to: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
}

test.concurrent.each(damages)(
  "a bundle with %s is refused, and none of it is taken in",
  async (what, exitCode, damage) => {
    const { clone, bundle } = await freshClone(what.replaceAll(" ", "-"));
    damage(bundle);
    const { code, output } = await clone.ralph(["run", "--resume", bundle]);
    expect(code, output).toBe(exitCode);
    expect(output).not.toContain("at file:");
    expect((await clone.ralph(["run", "--resume"])).output).toContain("no unfinished session");
    expect(await clone.git("log", "--format=%s", "main..HEAD")).toBe("chore: ralph");
  },
);

test("a session that is here already is gone on with where it is", async () => {
  using project = await interruptedProject(template, "cancelled");
  const { code, output } = await project.ralph(["run", "--resume", project.session]);
  expect(code).toBe(2);
  expect(output).toContain("is known here already");
  expect(sessionFolders(project.stateDir)).toHaveLength(1);
});

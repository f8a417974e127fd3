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
import { sampled, thorough } from "../../setup/sampled.ts";
import {
  createInterruptedTemplate,
  type Interrupted,
  interruptedProject,
} from "../../support/crash/interrupted.ts";
import type { CrashTemplate } from "../../support/crash/project.ts";
import { faultsAfter, sessionFolders } from "../../support/crash/recovery.ts";
import { rewriteJournal } from "../../support/github/forge-bundle.ts";

let template: CrashTemplate;
/** The session that is carried elsewhere: cancelled in T-002, its `.ralph` files pushed with the start commit. */
let origin: Interrupted;
beforeAll(async () => {
  template = await createInterruptedTemplate();
  origin = await interruptedProject(template, "cancelled");
});
afterAll(() => template[Symbol.asyncDispose]());

/** A fresh clone on another machine, at the session's start, with the bundle beside it; `above`: commits since the start. */
async function freshClone(name: string, { from = origin, above = 1 } = {}) {
  const folder = join(template.folder, name);
  const root = join(folder, "project");
  mkdirSync(folder);
  const start = await from.git("rev-parse", `HEAD~${above}`);
  await from.git("clone", "-q", "--no-local", from.root, root);
  const clone = from.elsewhere({ root, stateDir: join(folder, "state") });
  // Nothing of the session is in the clone, but what the start commit holds.
  await clone.git("checkout", "-q", "-B", "ralph/crash", start);
  await clone.git("remote", "remove", "origin");
  await clone.git("update-ref", "refs/heads/main", "HEAD~1");
  const bundle = join(folder, "bundle");
  cpSync(from.session, bundle, { recursive: true });
  return { clone, bundle };
}

describe.concurrent("a bundle on a fresh clone", () => {
  thorough("continues, and nothing that passed is repeated", async () => {
    const { clone, bundle } = await freshClone("clone");
    const resumed = await clone.ralph(["run", "--resume", bundle]);
    expect(resumed.output).not.toContain("work kept");
    expect(await faultsAfter(clone, resumed)).toEqual([]);
  });

  thorough("brings the interrupted work with it", async () => {
    const { clone, bundle } = await freshClone("kept");
    await clone.ralph(["run", "--resume", bundle]);
    const journal = readFileSync(join(bundle, "journal.jsonl"), "utf8");
    const [, tree] = /"type":"work_kept","tree":"([0-9a-f]+)"/.exec(journal) ?? [];
    expect(await clone.git("show", `${tree}:src/half.txt`)).toBe("half");
  });

  thorough("makes the session's branch where only another is checked out", async () => {
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

  thorough("does not touch work that is not committed", async () => {
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

test.concurrent.each(sampled(damages, 1))(
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

thorough("a session that is here already continues where it is", async () => {
  using project = await interruptedProject(template, "cancelled");
  const { code, output } = await project.ralph(["run", "--resume", project.session]);
  expect(code).toBe(2);
  expect(output).toContain("is already in this store");
  expect(sessionFolders(project.stateDir)).toHaveLength(1);
});

/** As somebody would who makes a bundle: the chain holds. */
const forgeries: [what: string, words: Record<string, string>, said: RegExp][] = [
  ["criteria of its own", { "Write T-003": "Write T-033" }, /T-003 differs from the task in/],
  ["a task of its own", { "T-003": "T-004" }, /T-003 is in .*, but not in the journal/],
];

test.concurrent.each(sampled(forgeries, 1))(
  "a bundle whose journal was made with %s is refused (exit 6), and none of it is taken in",
  async (what, words, said) => {
    const { clone, bundle } = await freshClone(what.replaceAll(" ", "-"));
    rewriteJournal(bundle, words);
    const { code, output } = await clone.ralph(["run", "--resume", bundle]);
    expect(code, output).toBe(6);
    expect(output).toMatch(said);
    expect((await clone.ralph(["run", "--resume"])).output).toContain("no unfinished session");
    expect(await clone.git("log", "--format=%s", "main..HEAD")).toBe("chore: ralph");
  },
);

/** The list was edited where the session stood still, which then went on and was cancelled again. */
async function editedSession(): Promise<Interrupted> {
  const project = await interruptedProject(template, "cancelled");
  edit(join(project.root, ".ralph/prd.json"), "Write T-003", "Write the third");
  await project.git("commit", "-q", "-m", "edit", ".ralph/prd.json");
  writeFileSync(join(project.root, "../how"), "cancelled");
  expect((await project.ralph(["run", "--resume"])).code).toBe(7);
  return project;
}

thorough(
  "an edit of the list comes along where its commit is on a branch, and nowhere else",
  async () => {
    using project = await editedSession();
    const { clone, bundle } = await freshClone("edited", { from: project, above: 2 });
    const refused = await clone.ralph(["run", "--resume", bundle]);
    expect(refused.code, refused.output).toBe(14);
    expect(refused.output).toContain("is on no branch of this clone");
    const ref = "refs/remotes/origin/ralph/crash";
    await clone.git("fetch", "-q", project.root, `ralph/crash:${ref}`);
    const resumed = await clone.ralph(["run", "--resume", bundle]);
    expect(resumed.code, resumed.output).toBe(0);
    expect(await clone.git("show", "HEAD:.ralph/prd.json")).toContain("Write the third");
  },
);

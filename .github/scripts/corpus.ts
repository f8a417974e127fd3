import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { roleTeller } from "../../src/core/checks/file-roles.ts";
import { withTestsOf } from "../../src/core/proof/own-tests.ts";
import { task } from "../../test/support/builders/session.ts";
import { createProject, type Outcome, type Project } from "../../test/support/project/project.ts";
import { type Replayed, writeCorpusSum } from "./docs/corpus-sum.ts";
import { readOptions, stopScript } from "./read-options.ts";

/**
 * Replays honest commits of public repositories: one scripted agent brings a commit's work, another its tests, and the
 * reviewer approves. Prints what the proof of the work makes of each.
 *
 * Clones and installed packages have to be there. Commits whose gates are red today have to be left out by the caller.
 */
const Entry = z.object({
  repository: z.string(),
  /** A git directory. */
  clone: z.string(),
  gate: z.string(),
  commits: z.array(z.string()),
  /** A folder with the `node_modules` of the gate. */
  packages: z.string().optional(),
});
type Entry = z.infer<typeof Entry>;

/** A person's list says so of a task that only removes tests. */
const untested = { requiresTests: false };

type Result = Omit<Replayed, "repository" | "commit">;

/** Nothing is asked of the work then. */
const redBefore: Result = {
  ended: "red before",
  why: "the gate fails on the parent",
  first: "",
  noticed: [0, 0],
  findings: [],
};

const testPaths = ["tests/**", "test/**", "**/__tests__/**", "**/*.test.*", "**/*.spec.*"];

const usage = `npm run corpus -- LIST.json [--results FILE] [--write]

Replays honest commits of public repositories, and prints what the proof of the work makes of each.
  LIST.json   [{ "repository", "clone": FOLDER, "gate": COMMAND, "commits": [ID], "packages": FOLDER }]
  --results   FILE keeps one line for each commit; those in it already are not played again
  --write     write the sum into the README`;

const { values, positionals } = readOptions(usage, {
  options: { write: { type: "boolean", default: false }, results: { type: "string" } },
  allowPositionals: true,
});
const [listPath] = positionals;
if (listPath === undefined) stopScript("LIST.json is missing");
const list = z.array(Entry).parse(JSON.parse(readFileSync(listPath, "utf8")));
const replayed = readResults(values.results);
for (const entry of list) {
  for (const commit of entry.commits.filter(isMissing)) {
    const result = await replay(entry, commit);
    replayed.push(result);
    const line = JSON.stringify(result);
    console.log(line);
    if (values.results !== undefined) appendFileSync(values.results, `${line}\n`);
  }
}
if (values.write) writeCorpusSum(replayed);

function readResults(path: string | undefined): Replayed[] {
  if (path === undefined || !existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

function isMissing(commit: string): boolean {
  return !replayed.some((result) => result.commit === commit);
}

async function replay(entry: Entry, commit: string): Promise<Replayed> {
  const { gate, repository } = entry;
  const read = (...args: string[]) =>
    execFileSync("git", ["--git-dir", entry.clone, ...args], { encoding: "utf8" }).trim();
  const names = read("diff", "--name-only", "--no-renames", `${commit}^`, commit).split("\n");
  const roleOf = roleTeller({ testPaths, gateCommands: [gate] });
  const tests = names.filter((path) => roleOf(path) === "test");
  const work = names.filter((path) => roleOf(path) !== "test" && !isProtected(path));
  const bringsTests =
    tests.some((path) => isThere(entry, `${commit}:${path}`)) ||
    work.some((path) => bringsOwnTests(entry, commit, path));
  await using project = await createProject({
    tasks: [task("T-001", { title: `Replay ${commit}`, ...(!bringsTests && untested) })],
    gates: { test: gate },
    config: { proof: {}, test_paths: [...testPaths, ...tests], limits: { max_iterations: 1 } },
    agent: {
      implementation: `{ ${bringing(entry, { commit, paths: work })}\n} >&2; claim`,
      test_writing: `{ ${bringing(entry, { commit, paths: tests })}\n} >&2; claim`,
    },
  });
  layOut(project, entry, commit);
  return { repository, commit, ...resultOf(await project.run()) };
}

/** Tests in a file of the product, as in Rust. */
function bringsOwnTests({ clone }: Entry, commit: string, path: string): boolean {
  const show = (object: string) =>
    spawnSync("git", ["--git-dir", clone, "show", `${object}:${path}`], { encoding: "utf8" });
  const [before, after] = [show(`${commit}^`), show(commit)];
  return withTestsOf(path, before.stdout, after.stdout) !== undefined;
}

function isThere({ clone }: Entry, object: string): boolean {
  const { status } = spawnSync("git", ["--git-dir", clone, "cat-file", "-e", object]);
  return status === 0;
}

/** The proof has nothing to do with what agents may never change. */
function isProtected(path: string): boolean {
  return /^\.(?:github|gitattributes|gitmodules|circleci|gitlab|travis)|^AGENTS/.test(path);
}

/** Shell lines that make files what they are in a commit. */
function bringing(
  { clone }: Entry,
  { commit, paths }: { commit: string; paths: readonly string[] },
): string {
  const git = `git --git-dir='${clone}'`;
  const lines = paths.map(
    (path) =>
      `if ${git} cat-file -e '${commit}:${path}' 2>/dev/null; then mkdir -p "$(dirname '${path}')"; ${git} show '${commit}:${path}' >'${path}'; else rm -f '${path}'; fi`,
  );
  return ["unset GIT_DIR GIT_WORK_TREE", ...lines].join("\n");
}

function layOut({ root, git }: Project, { clone, packages }: Entry, commit: string): void {
  const shell = `git --git-dir="$1" archive "$2^" | tar -x -C "$3"`;
  execFileSync("sh", ["-c", shell, "sh", clone, commit, root]);
  git("add", "-A", "-f");
  git("commit", "-qm", "start");
  if (packages === undefined) return;
  execFileSync("sh", ["-c", `echo /node_modules/ >>"$1/.git/info/exclude"`, "sh", root]);
  cpSync(join(packages, "node_modules"), join(root, "node_modules"), {
    recursive: true,
    verbatimSymlinks: true,
  });
}

function resultOf({ exitCode, facts, state }: Outcome): Result {
  if (facts("baseline_end").some(({ status }) => status !== "passed")) return redBefore;
  const [judged] = facts("proof_judged").toReversed();
  const findings = (judged?.findings ?? []).filter(({ kind }) => kind === "finding");
  return {
    ended: exitCode === 0 ? "passed" : (facts("iteration_failed")[0]?.because ?? "no verdict"),
    why: exitCode === 0 ? "" : (facts("iteration_failed")[0]?.feedback ?? state.end?.message ?? ""),
    first: judged?.figures.red_first ?? "",
    noticed: [judged?.figures.witnessed ?? 0, judged?.figures.tried ?? 0],
    findings: findings.map(({ message }) => message),
  };
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../../../src/core/state/event.ts";
import type { SessionState, TaskState } from "../../../src/core/state/session-state.ts";
import { replayJournal } from "../../../src/journal/journal.ts";
import { createFiles } from "../../../src/platform/fs/files.ts";
import type { CrashProject, Ended } from "./project.ts";

/** Goes on as a user would: with the session if there is one to go on with, else from the start. */
export async function recover(project: CrashProject): Promise<Ended> {
  const resumed = await project.ralph(["run", "--resume"]);
  return resumed.code === 2 ? project.ralph(["run"]) : resumed;
}

/** Everything that is wrong after a recovery, in words; nothing may be (F01, F03, F08, G09). */
export async function faultsAfter(project: CrashProject, ended: Ended): Promise<string[]> {
  if (ended.code !== 0) return [`ended with ${ended.code}: ${ended.output.slice(-1500)}`];
  const found = await Promise.all([
    historyFaults(project),
    journalFaults(project),
    worktreeFaults(project),
  ]);
  return [...found.flat(), ...leftoverFaults(project)];
}

async function historyFaults({ git, ids, isParallel }: CrashProject): Promise<string[]> {
  const log = await git(
    "log",
    "--reverse",
    "--format=%s|%(trailers:key=Ralph-Task,valueonly,separator=)|%P",
    "main..ralph/crash",
  );
  const commits = log.split("\n").map((line) => line.split("|"));
  const subjects = commits.map(([subject, task]) => String(task ? task : subject));
  const isLinear = commits.every(([, , parents = ""]) => !parents.includes(" "));
  const fsck = await git("fsck", "--strict", "--no-dangling", "--no-progress");
  return [
    ...expectSame(
      "commits",
      ordered(subjects, isParallel),
      ordered(["chore: ralph", ...ids], isParallel),
    ),
    ...(isLinear ? [] : ["the history is not linear"]),
    ...expectSame("git fsck", fsck, ""),
  ];
}

/** Side by side, tasks pass in any order. */
const ordered = (names: readonly string[], isParallel: boolean) =>
  (isParallel ? names.toSorted() : names).join();

async function worktreeFaults({ git, root, ids, isParallel }: CrashProject): Promise<string[]> {
  const text = (path: string) => readFileSync(join(root, path), "utf8");
  const prd: { tasks: { passes: boolean }[] } = JSON.parse(text(".ralph/prd.json"));
  const entries = text(".ralph/progress.txt").match(/^## \[.*T-\d{3}/gm) ?? [];
  const told = entries.map((line) => line.slice(-5));
  const learnings = text("AGENTS.md").match(/Text files live in src/g) ?? [];
  return [
    ...expectSame("status", await git("status", "--porcelain"), ""),
    ...expectSame("HEAD", await git("symbolic-ref", "HEAD"), "refs/heads/ralph/crash"),
    ...expectSame(
      "files",
      await git("ls-files", "src"),
      ids.map((id) => `src/${id}.txt`).join("\n"),
    ),
    ...expectSame(
      "passes",
      prd.tasks.map(({ passes }) => passes).join(),
      ids.map(() => true).join(),
    ),
    ...expectSame("progress", ordered(told, isParallel), ordered(ids.toReversed(), isParallel)),
    ...expectSame("learnings", String(learnings.length), "1"),
  ];
}

/** Chains hold, every pass has its proofs on exactly its tree, and nobody is called for what has passed. */
async function journalFaults({ stateDir, ids, isParallel }: CrashProject): Promise<string[]> {
  const faults: string[] = [];
  const passes: string[] = [];
  for (const folder of sessionFolders(stateDir)) {
    const events: RunEvent[] = [];
    const replay = await replayJournal(createFiles(folder), (event) => void events.push(event));
    if (!replay) continue;
    const passed = events.flatMap((event) => (event.type === "task_passed" ? event.task : []));
    passes.push(...passed);
    faults.push(...callsAfterPass(events), ...proofFaults(replay.state));
    if (replay.isTorn) faults.push(`${folder} is torn`);
    if (!replay.state.end) faults.push(`${folder} has no end`);
  }
  return [...faults, ...expectSame("passes journaled", ordered(passes, isParallel), ids.join())];
}

export function sessionFolders(stateDir: string): string[] {
  const [key = ""] = readdirSync(stateDir);
  const sessions = join(stateDir, key, "sessions");
  return readdirSync(sessions).map((name) => join(sessions, name));
}

function callsAfterPass(events: readonly RunEvent[]): string[] {
  const passed = new Set<string>();
  return events.flatMap((event) => {
    if (event.type === "task_passed") passed.add(event.task);
    const isCalled = event.type === "agent_start" && passed.has(event.task);
    return isCalled ? [`${event.role} was called for ${event.task} after its pass`] : [];
  });
}

const proofFaults = (state: SessionState) =>
  state.tasks
    .filter((task) => task.state === "passed" && !task.passedBefore && !isProved(task))
    .map(({ task }) => `${task.id} lacks proofs`);

function isProved({ tree, gates, criteria, done, commit }: TaskState): boolean {
  const hasGate = Object.values(gates).some(
    (gate) => gate.tree === tree && gate.status === "passed",
  );
  return hasGate && criteria?.tree === tree && done.review && commit !== undefined;
}

const leftover =
  /\.?ralph-tmp-|(?<!guardrails\.md)\.lock$|\/baseline(?:\.index)?(?:\/|$)|\/workers\/./;

function leftoverFaults({ root, stateDir }: CrashProject): string[] {
  const paths = [root, stateDir].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((path) => `${folder}/${path}`),
  );
  return paths.filter((path) => leftover.test(path)).map((path) => `left over: ${path}`);
}

/** In words, what differs. */
export function expectSame(what: string, actual: string, wanted: string): string[] {
  return actual === wanted
    ? []
    : [`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(wanted)}`];
}

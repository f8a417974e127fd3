import { isMerged } from "../../core/decide/merge-queue.ts";
import { oldSettingsIn } from "../../core/proof/manifest.ts";
import type { FactOf } from "../../core/state/event.ts";
import type { TaskState } from "../../core/state/session-state.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { treeWith } from "../../git/trees/tree-with.ts";
import { treeWithText } from "../../git/trees/tree-with-text.ts";
import type { SessionContext } from "../loop/session-context.ts";

/** The changed files of a task's work by what they are to the proof. */
export interface SortedChanges {
  oldTests: string[];
  controls: string[];
  scripts: { path: string; gates: string[] }[];
  tests: string[];
  product: string[];
}

type Trees = FactOf<"proof_planned">["trees"];

/**
 * The task's tree with old files laid over it, and its base with new tests laid over that. `carried`: old tests of
 * earlier tasks, as the session found them.
 */
export async function computeTrees(
  session: SessionContext,
  task: TaskState,
  changes: SortedChanges & { carried: readonly string[] },
): Promise<Trees> {
  const { repo } = session;
  const { base, tree } = task;
  const { oldTests, controls, tests, carried } = changes;
  const old = [...oldTests, ...carried];
  const withOld = (on: string) => withTests(session, task, { ...changes, on });
  const withNew = (paths: readonly string[]) => treeWith(repo, { tree: base, paths, from: tree });
  const settled = controls.length > 0 ? await withSettings(session, task, controls) : tree;
  const originals = await withOld(settled);
  const isFirst = tests.length > 0 && !isMerged(task);
  return {
    ...(originals !== tree && { originals }),
    ...(old.length > 0 && { tests: await withOld(tree) }),
    ...(settled !== tree && { controls: settled }),
    ...(await withScripts(session, task, { ...changes, originals })),
    ...(isFirst && { first: await withNew(tests) }),
    ...(isFirst && old.length > 0 && { first_old: await withNew(old) }),
  };
}

async function withScripts(
  { repo }: SessionContext,
  { base, tree }: TaskState,
  { scripts, originals }: SortedChanges & { originals: string },
): Promise<Trees> {
  if (scripts.length === 0) return {};
  const paths = scripts.map(({ path }) => path);
  return {
    scripts: await treeWith(repo, { tree: originals, paths, from: base }),
    scripts_only: await treeWith(repo, { tree, paths, from: base }),
  };
}

async function withTests(
  { repo, journal }: SessionContext,
  { base }: TaskState,
  { oldTests, carried, on }: SortedChanges & { carried: readonly string[]; on: string },
): Promise<string> {
  const own = await treeWith(repo, { tree: on, paths: oldTests, from: base });
  const from = journal.state.session.start.tree;
  return carried.length === 0 ? own : treeWith(repo, { tree: own, paths: carried, from });
}

/** Settings as the task found them; a manifest keeps the packages of the work, which are installed. */
async function withSettings(
  { repo }: SessionContext,
  { base, tree }: TaskState,
  controls: readonly string[],
): Promise<string> {
  let settled = await treeWith(repo, { tree, paths: controls, from: base });
  for (const path of controls) {
    const [old, head] = await Promise.all(
      [base, tree].map(async (treeish) => (await readBlob(repo, { treeish, path }))?.toString()),
    );
    if (old === undefined || head === undefined) continue;
    const text = oldSettingsIn(path, { old, head });
    if (text !== undefined) settled = await treeWithText(repo, { tree: settled, path, text });
  }
  return settled;
}

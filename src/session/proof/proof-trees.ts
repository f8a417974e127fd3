import { isMerged } from "../../core/decide/merge-queue.ts";
import { oldSettingsIn } from "../../core/proof/manifest.ts";
import { isTestSupport } from "../../core/proof/own-tests.ts";
import type { FactOf } from "../../core/state/event.ts";
import type { TaskState } from "../../core/state/session-state.ts";
import { treeWith, treeWithText } from "../../git/trees/tree-with.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { layOwnTests, textsOf } from "./lay-own-tests.ts";

/** The changed files of a task's work by what they are to the proof. */
export interface SortedChanges {
  oldTests: string[];
  controls: string[];
  scripts: { path: string; gates: string[] }[];
  tests: string[];
  /** Test files that were not there before. */
  added: string[];
  product: string[];
}

type Trees = FactOf<"proof_planned">["trees"];

/** The task's tree with old files laid over it, and its base with new tests. `apart`: old tests that newer ones do not fit. */
export async function computeTrees(
  session: SessionContext,
  task: TaskState,
  changes: SortedChanges & Carried,
): Promise<Trees> {
  const { repo } = session;
  const { base, tree } = task;
  const { oldTests, controls, tests, added, carried, apart } = changes;
  const old = [...oldTests, ...carried];
  const withOld = (on: string) => withTests(session, task, { ...changes, on });
  const laid = await layOwnTests(repo, { tree: base, from: tree, paths: changes.product });
  const helpers = controls.filter(isTestSupport);
  const withNew = (paths: readonly string[]) =>
    treeWith(repo, { tree: laid, paths: [...paths, ...helpers], from: tree });
  const settled = controls.length > 0 ? await withSettings(session, task, controls) : tree;
  const originals = await withOld(settled);
  const isFirst = (tests.length > 0 || laid !== base) && !isMerged(task);
  return {
    ...(originals !== tree && { originals }),
    ...(old.length > 0 && { tests: await withOld(tree) }),
    ...(settled !== tree && { controls: settled }),
    ...(originals !== tree &&
      added.length > 0 && {
        old_suite: await treeWith(repo, { tree: originals, paths: added, from: base }),
      }),
    ...(apart.length > 0 && { as_found: await asFound(session, tree, [...apart, ...added]) }),
    ...(await withScripts(session, task, { ...changes, originals })),
    ...(isFirst && { first: await withNew(tests) }),
    ...(isFirst && old.length > 0 && { first_old: await withNew(old) }),
  };
}

/** Old tests by their paths, for later tasks of the session. */
export type Carried = { carried: readonly string[]; apart: readonly string[] };

const asFound = (
  { repo, journal }: SessionContext,
  tree: string,
  paths: readonly string[],
): Promise<string> => treeWith(repo, { tree, paths, from: journal.state.session.start.tree });

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
  session: SessionContext,
  { base }: TaskState,
  { oldTests, carried, on }: SortedChanges & Pick<Carried, "carried"> & { on: string },
): Promise<string> {
  const own = await treeWith(session.repo, { tree: on, paths: oldTests, from: base });
  return asFound(session, own, carried);
}

/** Settings as the task found them; a manifest keeps the packages of the work, which are installed. */
async function withSettings(
  { repo }: SessionContext,
  { base, tree }: TaskState,
  controls: readonly string[],
): Promise<string> {
  let settled = await treeWith(repo, { tree, paths: controls, from: base });
  for (const path of controls) {
    const [old, head] = await textsOf(repo, path, [base, tree]);
    if (old === undefined || head === undefined) continue;
    const text = oldSettingsIn(path, { old, head });
    if (text !== undefined) settled = await treeWithText(repo, { tree: settled, path, text });
  }
  return settled;
}

import { roleTeller } from "../../core/checks/file-roles.ts";
import { flaggedChanges } from "../../core/checks/flagged-changes.ts";
import { changedLines, hunksOf, isUnnoticeable, spread } from "../../core/checks/hunks.ts";
import { pathMatcher } from "../../core/checks/path-pattern.ts";
import { suspiciousLines } from "../../core/checks/suspicious-code.ts";
import { isMerged } from "../../core/decide/merge-queue.ts";
import type { StepOf } from "../../core/decide/step.ts";
import type { FactOf } from "../../core/state/event.ts";
import type { ProofState } from "../../core/state/proof-state.ts";
import { type TaskState, taskOf } from "../../core/state/session-state.ts";
import { type ChangedFile, diffTrees } from "../../git/trees/diff-trees.ts";
import { treeWith } from "../../git/trees/tree-with.ts";
import { treeWithout } from "../../git/trees/tree-without.ts";
import type { Config } from "../../schema/config/config.ts";
import { parseCriterion } from "../../schema/tasks/criterion.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { planMutants } from "./plan-mutants.ts";

/** A larger change has places left that are not taken back. */
const maxDiffBytes = 4 * 1024 * 1024;

/** Journals what the proof of a task's work needs. */
export async function planProof(
  session: SessionContext,
  step: StepOf<"plan-proof">,
): Promise<void> {
  const { state } = session.journal;
  const task = taskOf(state, step.task);
  const base_commit = task.merged?.onto ?? task.claimed?.base ?? state.head;
  const others = state.tasks.filter(({ commit }) => commit !== undefined);
  const earlier = others.flatMap(({ proof }) => proof ?? []);
  await record(session, await computePlan(session, { task, base_commit, earlier }));
}

/** A task's work, the commit it began on, and the proofs of the tasks that passed before it in this session. */
type Work = { task: TaskState; base_commit: string; earlier: readonly ProofState[] };

/** Computes the trees the proof of a task's work needs; git makes them, no file is touched (design 4b). */
export async function computePlan(
  session: SessionContext,
  { task, base_commit, earlier }: Work,
): Promise<FactOf<"proof_planned">> {
  const { repo, config } = session;
  const { base, tree } = task;
  const diff = await diffTrees(repo, { from: base, to: tree, maxBytes: maxDiffBytes });
  const changes = sortChanges(diff.files, config);
  const carried = carriedTests(earlier);
  const trees = await computeTrees(session, task, { ...changes, carried });
  const taken = isMerged(task)
    ? noHunks
    : await takeBack(session, { base, tree, patch: diff.patch });
  const { controls, tests, product } = changes;
  return {
    type: "proof_planned",
    task: task.task.id,
    tree,
    base,
    base_commit,
    old_tests: [...new Set([...changes.oldTests, ...carried])],
    controls,
    product,
    tests: isMerged(task) ? [] : tests,
    flagged: [
      ...flaggedChanges(diff.files, roleRules(config)),
      ...suspiciousPlaces(diff.patch, config),
      ...settingsOfCriteria(task, { controls, config }),
    ],
    trees,
    ...taken,
  };
}

interface SortedChanges {
  oldTests: string[];
  controls: string[];
  tests: string[];
  product: string[];
}

/** By what each file is to the proof; globs of the start commit exempt old tests and settings. */
function sortChanges(files: readonly ChangedFile[], config: Config): SortedChanges {
  const roleOf = roleTeller(roleRules(config));
  const isFree = pathMatcher(config.tests.may_change);
  const isFreeControl = pathMatcher(config.proof.may_change);
  const of = (role: string) => files.filter(({ path }) => roleOf(path) === role);
  const paths = (found: readonly ChangedFile[]) => found.map(({ path }) => path);
  return {
    oldTests: paths(of("test").filter(({ status, path }) => status !== "A" && !isFree(path))),
    controls: paths(of("control").filter(({ path }) => !isFreeControl(path))),
    tests: paths(of("test").filter(({ status }) => status !== "D")),
    product: paths(of("product")),
  };
}

/** Gates run again with the settings the task found; commands of criteria do not, because they may ask for new ones. */
function settingsOfCriteria(
  { task }: TaskState,
  { controls, config }: { controls: readonly string[]; config: Config },
) {
  const gates = new Set(roleRules(config).gateCommands);
  const isOwn = task.acceptanceCriteria
    .map(parseCriterion)
    .some((criterion) => criterion.kind === "command" && !gates.has(criterion.command));
  return isOwn ? controls.map((path) => ({ path, because: "settings-of-criteria" })) : [];
}

/** `src/up.js:3`, with the reason. */
function suspiciousPlaces(patch: string, config: Config) {
  const roleOf = roleTeller(roleRules(config));
  const product = changedLines(hunksOf(patch)).filter(({ path }) => roleOf(path) === "product");
  return product.flatMap(({ path, added }) =>
    suspiciousLines(added).map(({ line, because }) => ({ path: `${path}:${line}`, because })),
  );
}

const roleRules = ({ test_paths: testPaths, gates }: Config) => ({
  testPaths,
  gateCommands: [...gates.build, ...gates.full].map(({ cmd }) => cmd),
});

/**
 * Old tests that earlier tasks of this session changed while they held as they were: those tasks had no reason to change
 * them, so they stay old tests for what follows, as the session found them.
 */
function carriedTests(earlier: readonly ProofState[]): string[] {
  const plans = earlier.flatMap(({ plan, judged }) =>
    plan && judged?.figures.originals === "green" ? plan.old_tests : [],
  );
  return [...new Set(plans)];
}

async function computeTrees(
  { repo, journal }: SessionContext,
  task: TaskState,
  { oldTests, controls, tests, carried }: SortedChanges & { carried: readonly string[] },
): Promise<FactOf<"proof_planned">["trees"]> {
  const { base, tree } = task;
  const from = journal.state.session.start.tree;
  const withSettings = () => treeWith(repo, { tree, paths: controls, from: base });
  const withTests = async (on: string) => {
    const own = await treeWith(repo, { tree: on, paths: oldTests, from: base });
    return carried.length === 0 ? own : treeWith(repo, { tree: own, paths: carried, from });
  };
  const withNew = (paths: readonly string[]) => treeWith(repo, { tree: base, paths, from: tree });
  const old = [...oldTests, ...carried];
  const isFirst = tests.length > 0 && !isMerged(task);
  return {
    ...(old.length + controls.length > 0 && { originals: await withTests(await withSettings()) }),
    ...(old.length > 0 && { tests: await withTests(tree) }),
    ...(controls.length > 0 && { controls: await withSettings() }),
    ...(isFirst && { first: await withNew(tests) }),
    ...(isFirst && old.length > 0 && { first_old: await withNew(old) }),
  };
}

type Taken = Pick<FactOf<"proof_planned">, "hunks" | "left_out" | "mutants">;
const noHunks: Taken = { hunks: [], left_out: [] };

/** The task's tree without each of its changes to the product, as many as the configuration allows, spread evenly. */
async function takeBack(
  session: SessionContext,
  { base, tree, patch }: { base: string; tree: string; patch: string },
): Promise<Taken> {
  const { repo, config, policy } = session;
  const roleOf = roleTeller(roleRules(config));
  const product = hunksOf(patch).filter(({ path }) => roleOf(path) === "product");
  const noticeable = product.filter((hunk) => !isUnnoticeable(hunk));
  const mutants = await planMutants(session, { base, tree, hunks: noticeable });
  const taken: Taken = { hunks: [], left_out: [], mutants };
  for (const hunk of spread(noticeable, policy.proof.witnessHunks)) {
    const { path, line } = hunk;
    const without = await treeWithout(repo, { tree, patch: hunk.patch });
    if (without === undefined) taken.left_out.push({ path, because: "cannot be taken back alone" });
    else taken.hunks.push({ path, line, tree: without });
  }
  return taken;
}

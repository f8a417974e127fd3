import { roleTeller } from "../../core/checks/file-roles.ts";
import { flaggedChanges } from "../../core/checks/flagged-changes.ts";
import { hunksOf, isUnnoticeable, spread } from "../../core/checks/hunks.ts";
import { pathMatcher } from "../../core/checks/path-pattern.ts";
import { isMerged } from "../../core/decide/merge-queue.ts";
import type { StepOf } from "../../core/decide/step.ts";
import type { FactOf } from "../../core/state/event.ts";
import { type TaskState, taskOf } from "../../core/state/session-state.ts";
import { type ChangedFile, diffTrees } from "../../git/trees/diff-trees.ts";
import { treeWith } from "../../git/trees/tree-with.ts";
import { treeWithout } from "../../git/trees/tree-without.ts";
import type { Config } from "../../schema/config/config.ts";
import { record, type SessionContext } from "../loop/session-context.ts";

/** A larger change has places left that are not taken back. */
const maxDiffBytes = 4 * 1024 * 1024;

/** Computes the trees the proof of a task's work needs; git makes them, no file is touched (design 4b). */
export async function planProof(
  session: SessionContext,
  step: StepOf<"plan-proof">,
): Promise<void> {
  const { repo, config, journal } = session;
  const task = taskOf(journal.state, step.task);
  const { base, tree } = task;
  const base_commit = task.merged?.onto ?? task.claimed?.base ?? journal.state.head;
  const diff = await diffTrees(repo, { from: base, to: tree, maxBytes: maxDiffBytes });
  const changes = sortChanges(diff.files, config);
  const trees = await computeTrees(session, task, changes);
  const taken = isMerged(task) ? noHunks : await takeBack(session, { tree, patch: diff.patch });
  const { oldTests: old_tests, controls, tests, product } = changes;
  const flagged = flaggedChanges(diff.files, roleRules(config));
  const plan = {
    type: "proof_planned",
    task: step.task,
    tree,
    base,
    base_commit,
    old_tests,
    controls,
    product,
    flagged,
  } as const;
  await record(session, { ...plan, tests: isMerged(task) ? [] : tests, trees, ...taken });
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

const roleRules = ({ test_paths: testPaths, gates }: Config) => ({
  testPaths,
  gateCommands: [...gates.build, ...gates.full].map(({ cmd }) => cmd),
});

async function computeTrees(
  { repo }: SessionContext,
  task: TaskState,
  { oldTests, controls, tests }: SortedChanges,
): Promise<FactOf<"proof_planned">["trees"]> {
  const { base, tree } = task;
  const withOld = (paths: readonly string[]) => treeWith(repo, { tree, paths, from: base });
  const withNew = (paths: readonly string[]) => treeWith(repo, { tree: base, paths, from: tree });
  const hasOld = oldTests.length + controls.length > 0;
  const isFirst = tests.length > 0 && !isMerged(task);
  return {
    ...(hasOld && { originals: await withOld([...oldTests, ...controls]) }),
    ...(oldTests.length > 0 && { tests: await withOld(oldTests) }),
    ...(controls.length > 0 && { controls: await withOld(controls) }),
    ...(isFirst && { first: await withNew(tests) }),
    ...(isFirst && oldTests.length > 0 && { first_old: await withNew(oldTests) }),
  };
}

type Taken = Pick<FactOf<"proof_planned">, "hunks" | "left_out">;
const noHunks: Taken = { hunks: [], left_out: [] };

/** The task's tree without each of its changes to the product, as many as the configuration allows, spread evenly. */
async function takeBack(
  { repo, config, policy }: SessionContext,
  { tree, patch }: { tree: string; patch: string },
): Promise<Taken> {
  const roleOf = roleTeller(roleRules(config));
  const product = hunksOf(patch).filter(({ path }) => roleOf(path) === "product");
  const noticeable = product.filter((hunk) => !isUnnoticeable(hunk));
  const taken: Taken = { hunks: [], left_out: [] };
  for (const hunk of spread(noticeable, policy.proof.witnessHunks)) {
    const { path, line } = hunk;
    const without = await treeWithout(repo, { tree, patch: hunk.patch });
    if (without === undefined) taken.left_out.push({ path, because: "cannot be taken back alone" });
    else taken.hunks.push({ path, line, tree: without });
  }
  return taken;
}

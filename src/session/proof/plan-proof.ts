import { roleTeller } from "../../core/checks/file-roles.ts";
import { flaggedChanges, pathsInCommand } from "../../core/checks/flagged-changes.ts";
import { changedLines, type Hunk, hunksOf } from "../../core/checks/hunks.ts";
import { pathMatcher } from "../../core/checks/path-pattern.ts";
import { suspiciousLines } from "../../core/checks/suspicious-code.ts";
import { isMerged } from "../../core/decide/merge-queue.ts";
import type { StepOf } from "../../core/decide/step.ts";
import { heldWithoutNew } from "../../core/proof/judge-originals.ts";
import type { FactOf } from "../../core/state/event.ts";
import type { ProofState } from "../../core/state/proof-state.ts";
import { type TaskState, taskOf } from "../../core/state/session-state.ts";
import { type ChangedFile, diffTrees } from "../../git/trees/diff-trees.ts";
import type { Config } from "../../schema/config/config.ts";
import { parseCriterion } from "../../schema/tasks/criterion.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { type Carried, computeTrees, type SortedChanges } from "./proof-trees.ts";
import { noHunks, takeBack } from "./take-back.ts";

/** A larger change has places left that are not taken back. */
const maxDiffBytes = 4 * 1024 * 1024;

/** Journals what the proof of a task's work needs. */
export async function planProof(session: SessionContext, step: StepOf<"plan-proof">) {
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
  const trees = await computeTrees(session, task, { ...changes, ...carried });
  const taken = isMerged(task)
    ? noHunks
    : await takeBack(session, { base, tree, product: productHunks(diff.patch, config) });
  const { controls, scripts, tests, product } = changes;
  return {
    type: "proof_planned",
    task: task.task.id,
    tree,
    base,
    base_commit,
    old_tests: [...new Set([...changes.oldTests, ...carried.carried])],
    controls,
    scripts,
    product,
    tests: isMerged(task) ? [] : tests,
    flagged: [
      ...flaggedChanges(diff.files, roleRules(config)),
      ...suspiciousPlaces(diff.patch, config),
      ...settingsOfCriteria(task, {
        controls: [...controls, ...scripts.map(({ path }) => path)],
        config,
      }),
    ],
    trees,
    ...taken,
  };
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
    scripts: [...of("script"), ...of("product")]
      .filter(({ path }) => !isFreeControl(path))
      .map(({ path }) => ({ path, gates: gatesNaming(path, config) }))
      .filter(({ gates }) => gates.length > 0),
    tests: paths(of("test").filter(({ status }) => status !== "D")),
    added: paths(of("test").filter(({ status }) => status === "A")),
    product: paths(of("product")),
  };
}

/** The changes to files of the product. */
function productHunks(patch: string, config: Config): Hunk[] {
  const roleOf = roleTeller(roleRules(config));
  return hunksOf(patch).filter(({ path }) => roleOf(path) === "product");
}

const gatesNaming = (path: string, { gates }: Config) =>
  gates.full.filter(({ cmd }) => pathsInCommand(cmd).includes(path)).map(({ name }) => name);

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
  return changedLines(hunksOf(patch)).flatMap(({ path, added }) =>
    suspiciousLines({ path, role: roleOf(path) }, added).map(({ line, because }) => ({
      path: `${path}:${line}`,
      because,
    })),
  );
}

const roleRules = ({ test_paths: testPaths, gates }: Config) => ({
  testPaths,
  gateCommands: [...gates.build, ...gates.full].map(({ cmd }) => cmd),
});

/**
 * Old tests that earlier tasks of this session changed while they held as they were: those tasks had no reason to change
 * them, so they stay old tests for what follows, as the session found them. Those that the tasks' own tests do not fit
 * stand apart, together with these tests, which were not there then.
 */
function carriedTests(earlier: readonly ProofState[]): Carried {
  const plansWith = (originals: string) =>
    earlier.flatMap(({ plan, judged }) =>
      plan && judged?.figures.originals === originals ? [plan] : [],
    );
  const apart = plansWith(heldWithoutNew).flatMap(({ old_tests }) => old_tests);
  const tests = apart.length > 0 ? earlier.flatMap(({ plan }) => plan?.tests ?? []) : [];
  const replaced = new Set(
    earlier.flatMap(({ plan, judged }) =>
      plan && isReplaced(judged?.figures.originals) ? plan.old_tests : [],
    ),
  );
  return {
    carried: [...new Set(plansWith("green").flatMap(({ old_tests }) => old_tests))],
    apart: [...new Set([...apart, ...tests])].filter((path) => !replaced.has(path)),
  };
}

const isReplaced = (originals = "") => originals === "red" || originals === "load-error";

import type { ProofStep } from "../../core/checks/prove.ts";
import { nameOfPart, type ProvedProgram } from "../../core/checks/proved-program.ts";
import { mergeTrees } from "../../git/trees/merge-trees.ts";
import { resetTo } from "../../git/worktree/reset.ts";
import { withBaseBranch } from "../../sources/config-overrides.ts";
import { policyOf } from "../loop/policy-of.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { type MakeConfig, readCommitConfig } from "../open/start-config.ts";
import { proveProgram } from "./prove-program.ts";
import { proveGates, proveSetup } from "./prove-steps.ts";
import { proveWork } from "./prove-work.ts";

/**
 * Holds the head to the rules of the commit this clone was given too, when a session began at another one: the author
 * of a bundle could choose an old commit for its gates (T37, T57). Gates run on the merge with that commit, because
 * they may need files it brought. Answers what does not hold, and how the program was looked at.
 */
export async function proveToday(
  session: SessionContext,
  { commit, makeConfig }: { commit: string; makeConfig?: MakeConfig | undefined },
  report: (step: ProofStep) => void,
): Promise<Today> {
  const { repo, config: own, journal } = session;
  const { head, headTree, session: begun } = journal.state;
  if (commit === begun.start.commit || commit === head) return nothing;
  const read = await readCommitConfig(repo, { commit, path: begun.config_path }, makeConfig);
  if (!read) return nothing;
  const config = { ...withBaseBranch(own.git.base_branch)(read), sandbox: own.sandbox };
  const rules = (each: typeof config) =>
    JSON.stringify([each.gates, each.setup, each.proof, each.test_paths, each.services, each.ui]);
  if (rules(config) === rules(own)) return nothing;
  const today = { ...session, config, policy: policyOf(config, { deadlines: [] }) };
  const notice = (step: ProofStep) => report({ ...step, merged: true });
  const merge = await mergeTrees(repo, { ours: head, theirs: commit });
  const tree = merge.kind === "merged" ? merge.tree : headTree;
  await resetTo(repo, tree);
  const setup = await proveSetup(today, notice);
  const gates = setup.every(({ ok }) => ok) ? await proveGates(today, tree, notice) : [];
  const isGreen = [...setup, ...gates].every(({ ok }) => ok);
  const program = isGreen ? await proveProgram(today, tree, notice) : undefined;
  await resetTo(repo, headTree);
  const red = namesOfRed([...setup, ...gates], program);
  const work = red.length === 0 ? await proveWork(today, report) : [];
  const by = `by the rules of ${commit.slice(0, 12)}, the commit this clone was given`;
  return {
    problems: [
      ...red.map((name) => `"${name}" does not pass ${by}`),
      ...work.flatMap(({ task, refusal }) => (refusal ? [`${task}, ${by}: ${refusal}`] : [])),
    ],
    ...(program && { program }),
  };
}

type Today = { problems: string[]; program?: ProvedProgram };
const nothing: Today = { problems: [] };

const namesOfRed = (
  checks: readonly { name: string; ok: boolean }[],
  program: ProvedProgram | undefined,
): string[] => [
  ...checks.filter(({ ok }) => !ok).map(({ name }) => name),
  ...(program?.parts ?? []).filter(({ ok }) => !ok).map(nameOfPart),
];

import type { BaseProof, ProofStep } from "../../core/checks/prove.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { askGit } from "../../git/repository/run-git.ts";
import { mergeTrees } from "../../git/trees/merge-trees.ts";
import { isAncestor } from "../../git/trees/objects.ts";
import { resetTo } from "../../git/worktree/reset.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { proveProgram } from "./prove-program.ts";
import { proveCriteria, proveGates, proveSetup } from "./prove-steps.ts";

/**
 * When the base branch has moved since the session began, proves the result of merging the proved head into it: setup
 * steps, gates, criteria and the program on the merged tree. Undefined when the base branch is unknown. The work tree is at the
 * head again afterwards.
 */
export async function proveMerge(
  session: SessionContext,
  notice: (step: ProofStep) => void,
): Promise<BaseProof | undefined> {
  const { repo, config, journal } = session;
  const { head, headTree } = journal.state;
  const commit = await findBase(repo, config.git);
  if (commit === undefined) return undefined;
  const about = { branch: config.git.base_branch, commit, conflicts: [] };
  const none = { ...about, setup: [], gates: [], criteria: [] };
  if (await isAncestor(repo, commit, head)) return { ...none, kind: "current" };
  const merge = await mergeTrees(repo, { ours: head, theirs: commit });
  switch (merge.kind) {
    case "unknown":
      return { ...none, kind: "unknown" };
    case "conflict":
      return { ...none, kind: "conflict", conflicts: merge.files };
    case "merged": {
      const measured = await measureMerge(session, merge.tree, notice);
      await resetTo(repo, headTree);
      return { ...about, ...measured };
    }
  }
}

/** The base branch as this clone knows it: the remote's when it was last fetched, else the local one. */
async function findBase(
  repo: Repository,
  { remote, base_branch: branch }: SessionContext["config"]["git"],
): Promise<string | undefined> {
  for (const ref of [`refs/remotes/${remote}/${branch}`, `refs/heads/${branch}`]) {
    const args = ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`];
    const { exitCode, stdout } = await askGit(repo, args);
    if (exitCode === 0) return stdout.toString().trim();
  }
  return undefined;
}

type Measured = Pick<BaseProof, "kind" | "setup" | "gates" | "criteria" | "program">;

async function measureMerge(
  session: SessionContext,
  tree: string,
  report: (step: ProofStep) => void,
): Promise<Measured> {
  const notice = (step: ProofStep) => report({ ...step, merged: true });
  await resetTo(session.repo, tree);
  const setup = await proveSetup(session, notice);
  if (setup.some(({ ok }) => !ok)) return { kind: "red", setup, gates: [], criteria: [] };
  const gates = await proveGates(session, tree, notice);
  const criteria = await proveCriteria(session, tree, notice);
  const isGreen = [...gates, ...criteria].every(({ ok }) => ok);
  const program = isGreen ? await proveProgram(session, tree, notice) : undefined;
  const holds = isGreen && (program?.parts.every(({ ok }) => ok) ?? true);
  return { kind: holds ? "green" : "red", setup, gates, criteria, ...(program && { program }) };
}

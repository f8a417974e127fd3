import type { StepOf } from "../../core/decide/step.ts";
import { diffTrees } from "../../git/trees/diff-trees.ts";
import { resetTo } from "../../git/worktree/reset.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { openRepair } from "./call-fixer.ts";

/** Only the names of changed files are read here; a longer list is cut. */
const maxDiffBytes = 16 * 1024 * 1024;

/** A repair begins. */
export function startFix(
  session: SessionContext,
  { kind: _, ...about }: StepOf<"start-fix">,
): Promise<void> {
  const { headTree: tree } = session.journal.state;
  return record(session, { type: "fix_start", ...about, tree });
}

/** A repair has ended: what broke something is taken back; a kept one is decided by one flushed line, like a pass. */
export async function endFix(
  session: SessionContext,
  { outcome, detail }: StepOf<"end-fix">,
): Promise<void> {
  const { journal, repo, policy, evidence } = session;
  const { phase, iteration, base, tree } = openRepair(journal.state);
  if (outcome === "broke") await resetTo(repo, base);
  const isKept = outcome === "kept";
  const { files } = await diffTrees(repo, { from: base, to: tree, maxBytes: maxDiffBytes });
  await evidence.settle();
  const committedOn = isKept && !policy.verify?.isInPlace && { parent: journal.state.head };
  const end = { type: "fix_end", phase, iteration, tree, outcome, detail, files } as const;
  await record(session, { ...end, ...committedOn }, { durable: true });
}

import { normalize } from "node:path/posix";
import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import { readPack } from "../../git/commits/bundle.ts";
import { readBranch } from "../../git/commits/move-branch.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { askGit } from "../../git/repository/run-git.ts";
import { commitLine } from "../../git/trees/history.ts";
import { missingObjects, readBlob } from "../../git/trees/objects.ts";
import { matchCommits, readShapes } from "../../github/push/match-commits.ts";
import { requireHistory } from "../../github/verify/trusted-start.ts";
import { journalFile, replayJournal } from "../../journal/journal.ts";
import type { Files } from "../../platform/system.ts";
import { planHead } from "../../schema/autopilot/plan.ts";
import { sha256 } from "../../schema/session-files/checksum.ts";
import { bundledPlanOf, packFile } from "../../session/bundle/bundled-objects.ts";
import { checkPlan } from "../../session/bundle/plan-commits.ts";
import { readStep } from "../../session/bundle/plan-rules.ts";
import { importBundle } from "../../session/import/import-bundle.ts";
import { type AutopilotRun, readAutopilotRun, saveAutopilotRun } from "./autopilot-run.ts";
import { goToBranch } from "./branch.ts";
import { type Opened, openBase } from "./open.ts";
import type { AutopilotDeps, AutopilotRequest } from "./run-request.ts";

/**
 * Imports an autopilot run from another machine, with its commits and its session, so that it can be resumed here. Its
 * base commit must be in this repository's history, and its own commits must be an autopilot's. The caller holds the lock.
 */
export async function importRun(
  deps: AutopilotDeps,
  request: AutopilotRequest,
  { bundle, run: bundled }: { bundle: Files; run: AutopilotRun },
): Promise<AutopilotRun> {
  const { system, place } = deps;
  const { store } = place;
  await requireUnknown(deps, bundled);
  const opened = await openAtBase(deps, request, bundled);
  const { repo, config } = opened;
  const state = await readSession(bundle, bundled);
  await importObjects(repo, { bundle, head: state?.head ?? planHead(bundled) });
  // Nothing is pushed on the word of the bundle, so the branch may have any name.
  await checkPlan(repo, { plan: bundled, config, named: bundled.branch });
  const tip = state?.head ?? (await editedTip(opened, bundled)) ?? planHead(bundled);
  if (bundled.branch !== undefined && tip !== undefined)
    await checkOutTip(repo, { branch: bundled.branch, tip });
  const isThere = state && (await store.session(state.session.session_id).stat(journalFile));
  if (state && !isThere) {
    await importBundle(system, { project: place, bundle: bundle.root, start: "checked" });
  }
  const run = { ...bundled, ...(await recheckReport(repo, bundled)) };
  // Last: until then, the same command imports the run again.
  await saveAutopilotRun(store, run);
  return run;
}

async function requireUnknown({ place }: AutopilotDeps, { run_id }: AutopilotRun): Promise<void> {
  if ((await readAutopilotRun(place.store, run_id)) === undefined) return;
  throw new RalphError("source", {
    message: `Run ${run_id} is already in this store.`,
    remedy: "Resume it with `ralph autopilot --resume`, without a folder.",
  });
}

/** Opens the repository with the rules of the base commit, which must be in its history. */
async function openAtBase(
  deps: AutopilotDeps,
  request: AutopilotRequest,
  bundled: AutopilotRun,
): Promise<Opened> {
  const { repo, config } = await openBase(deps, request, undefined);
  const { base_branch, remote } = config.git;
  const branches = [`refs/heads/${base_branch}`, `refs/remotes/${remote}/${base_branch}`];
  await requireHistory(repo, bundled.base, ["HEAD", ...branches]);
  const opened = await openBase(deps, request, bundled);
  if (bundled.task_path === normalize(opened.config.autopilot.tasks.output)) return opened;
  throw refused(`its task list is at ${bundled.task_path}`);
}

/** The run's session, which must start from the last of the run's own commits. */
async function readSession(
  bundle: Files,
  bundled: AutopilotRun,
): Promise<SessionState | undefined> {
  if (!(await bundle.stat(journalFile))) return undefined;
  const replay = await replayJournal(bundle);
  if (replay && (await bundledPlanOf(bundle, replay.state))) return replay.state;
  throw refused(`its session does not start from the commits of run ${bundled.run_id}`);
}

async function importObjects(
  repo: Repository,
  { bundle, head }: { bundle: Files; head: string | undefined },
): Promise<void> {
  if (head === undefined || (await missingObjects(repo, [head])).length === 0) return;
  const read = await readPack(repo, `${bundle.root}/${packFile}`);
  if (read.kind === "refused") throw refused(read.because);
}

/** The tip of the remote's branch where people have edited the document, if this checkout has it. */
async function editedTip(
  { repo, config }: Opened,
  bundled: AutopilotRun,
): Promise<string | undefined> {
  const { branch = "", document_commit, list_commit, document } = bundled;
  const from = document_commit?.commit;
  if (from === undefined || list_commit !== undefined) return undefined;
  const ref = `refs/remotes/${config.git.remote}/${branch}`;
  const { exitCode, stdout } = await askGit(repo, ["rev-parse", "--verify", "--quiet", ref]);
  if (exitCode !== 0) return undefined;
  const to = stdout.toString().trim();
  const edits = await commitLine(repo, {
    from: await publishedId(repo, { base: bundled.base, from, to }),
    to,
    max: maxEdits,
  });
  const steps = await Promise.all((edits ?? []).map((commit) => readStep(repo, commit)));
  const paths = steps.flatMap(({ changes }) => changes.map(({ path }) => path));
  if (edits && paths.every((path) => path === document?.path)) return to;
  throw new RalphError("git", {
    message: `${ref} changes more than the document.`,
    remedy: "Move the other changes to the base branch, then start a new run.",
  });
}

const maxEdits = 50;

/** The document's commit on the remote: one that GitHub made has another id (`commits: api`). */
async function publishedId(
  repo: Repository,
  { base, from, to }: { base: string; from: string; to: string },
): Promise<string> {
  const [ours, theirs] = await Promise.all(
    [from, to].map((tip) => readShapes(repo, { base, tip })),
  );
  return matchCommits(ours ?? [], theirs ?? []).get(from) ?? from;
}

async function checkOutTip(
  repo: Repository,
  { branch, tip }: { branch: string; tip: string },
): Promise<void> {
  const there = await readBranch(repo, branch);
  if (there !== undefined && there !== tip) {
    throw new RalphError("git", {
      message: `The branch ${branch} is at ${there.slice(0, 12)} here, and the run left it at ${tip.slice(0, 12)}.`,
      remedy: "Resume in a fresh checkout, or delete the local branch if nothing on it is needed.",
    });
  }
  await goToBranch(repo, { branch, base: tip });
}

/** A report of the base commit is read from there again; any other may come from a stranger. */
async function recheckReport(
  repo: Repository,
  { base, report, others, untrusted }: AutopilotRun,
): Promise<Pick<AutopilotRun, "report" | "untrusted">> {
  const bytes =
    report.kind === "file" ? await readBlob(repo, { treeish: base, path: report.path }) : undefined;
  const isCommitted = bytes !== undefined && sha256(bytes) === report.sha256;
  if (!isCommitted || others) return { report, untrusted: true };
  return { report: { ...report, text: bytes.toString("utf8") }, untrusted };
}

function refused(because: string): RalphError {
  return new RalphError("source", {
    message: `The bundle cannot be resumed: ${because.replace(/\.$/, "")}.`,
    remedy: "Give the folder of a whole artifact of an autopilot run.",
  });
}

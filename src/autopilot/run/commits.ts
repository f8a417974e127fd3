import { createCommit, publishCommit } from "../../git/commits/commit.ts";
import { readStartPoint } from "../../git/commits/start-point.ts";
import { syncUserIndex } from "../../git/worktree/sync-user-index.ts";
import { analysisPath, renderAnalysis } from "../../schema/autopilot/analysis.ts";
import type { PlannedCommit } from "../../schema/autopilot/plan.ts";
import { plainLine } from "../../text/plain-text.ts";
import { archivedFiles } from "./archive.ts";
import { requireAnalyzed } from "./autopilot-run.ts";
import type { PlanningContext } from "./planning-context.ts";
import { writeInto } from "./run-store.ts";

/** Why a run stops without a failure, and how to resume it. */
export type Stop = { why: string; next: string };

/** Commits the document with the analysis. */
export async function commitDocument(context: PlanningContext): Promise<Stop | undefined> {
  const run = context.runStore.state();
  const { analysis } = requireAnalyzed(run);
  const { path, text } = run.document ?? { path: "", text: "" };
  return commitStep(context, {
    key: "document_commit",
    files: [
      { path: analysisPath, text: renderAnalysis(analysis) },
      { path, text },
    ],
    subject: `docs: add PRD for ${plainLine(analysis.priority_item, 100)}`,
    auto: context.settings.prd.auto_commit,
  });
}

/** Commits the task list, and with it the archive of the run it replaces. */
export async function commitList(context: PlanningContext): Promise<Stop | undefined> {
  const { runStore, settings, repo } = context;
  const run = runStore.state();
  const { analysis } = requireAnalyzed(run);
  return commitStep(context, {
    key: "list_commit",
    files: [
      ...(await archivedFiles(repo, { run, settings })),
      ...(run.document ? [] : [{ path: analysisPath, text: renderAnalysis(analysis) }]),
      { path: run.task_path, text: run.list ?? "" },
    ],
    subject: `chore: add prd.json tasks for ${plainLine(analysis.priority_item, 100)}`,
    auto: settings.tasks.auto_commit,
  });
}

type CommitStep = {
  key: "document_commit" | "list_commit";
  files: readonly { path: string; text: string }[];
  subject: string;
  /** Otherwise a person commits: the run stops, and resumes from that commit. */
  auto: boolean;
};

async function commitStep(context: PlanningContext, step: CommitStep): Promise<Stop | undefined> {
  const { runStore, repo, deps } = context;
  const { key, files, subject, auto } = step;
  const { [key]: before } = runStore.state();
  const paths = files.map(({ path }) => path);
  const { commit: parent, tree } = await readStartPoint(repo);
  if (!auto && before) {
    await runStore.advance({ [key]: { ...before, commit: parent } }, "planning");
    return undefined;
  }
  const date = new Date(deps.system.clock.now()).toISOString();
  // Parent and date are fixed before any of the files is written.
  const planned = before ?? { parent, tree, date, paths };
  await runStore.advance({ [key]: planned }, "planning");
  await writeInto(repo, files);
  if (!auto) {
    return {
      why: `Written and not committed, as configured: ${paths.join(", ")}.`,
      next: "Commit it, then resume the run with `ralph autopilot --resume`.",
    };
  }
  const commit = await commitPlanned(context, { planned, paths, subject });
  deps.log(`Commit   ${commit.slice(0, 12)} ${subject}`);
  await runStore.advance({ [key]: { ...planned, commit } }, "planning");
  return undefined;
}

/** Commits files of the work tree. After a crash the same call gives the same commit. */
async function commitPlanned(
  { repo, runStore }: PlanningContext,
  { planned, paths, subject }: { planned: PlannedCommit; paths: string[]; subject: string },
): Promise<string> {
  const { branch = "" } = runStore.state();
  const { parent, tree, date } = planned;
  const message = `${subject}\n`;
  const { commit } = await createCommit(repo, { parent, tree, date, paths, message });
  // Before the branch moves: after a kill in between, the files are staged and known as the run's own.
  await syncUserIndex(repo);
  await publishCommit(repo, { branch, parent, commit });
  return commit;
}

import { readStartPoint } from "../../git/commits/start-point.ts";
import { analysisPath, renderAnalysis } from "../../schema/autopilot/analysis.ts";
import { plainLine } from "../../text/plain-text.ts";
import { archivedFiles } from "./archive.ts";
import { commitWrittenFiles, planCommit, type WrittenFile, writeInto } from "./commit.ts";
import { type PlanningContext, requireAnalyzed } from "./planning-steps.ts";

/** Why a run stops without a failure, and what to do to go on. */
export type Stop = { why: string; next: string };

/** Commits the document with the analysis. */
export async function commitDocument(work: PlanningContext): Promise<Stop | undefined> {
  const { runStore, settings } = work;
  const run = runStore.state();
  const { analysis } = requireAnalyzed(run);
  const { path, text } = run.document ?? { path: "", text: "" };
  const files = [
    { path: analysisPath, text: renderAnalysis(analysis) },
    { path, text },
  ];
  const subject = `docs: add PRD for ${plainLine(analysis.priority_item, 100)}`;
  return commitStep(work, {
    key: "document_commit",
    files,
    subject,
    auto: settings.prd.auto_commit,
  });
}

/** Commits the task list; what it replaces is archived with it. */
export async function commitList(work: PlanningContext): Promise<Stop | undefined> {
  const { runStore, settings, repo } = work;
  const run = runStore.state();
  const { analysis } = requireAnalyzed(run);
  const files = [
    ...(await archivedFiles(repo, { run, settings })),
    ...(run.document ? [] : [{ path: analysisPath, text: renderAnalysis(analysis) }]),
    { path: run.task_path, text: run.list ?? "" },
  ];
  const subject = `chore: add prd.json tasks for ${plainLine(analysis.priority_item, 100)}`;
  return commitStep(work, { key: "list_commit", files, subject, auto: settings.tasks.auto_commit });
}

type Committing = {
  key: "document_commit" | "list_commit";
  files: readonly WrittenFile[];
  subject: string;
  /** Otherwise a person commits: the run stops, and goes on from what is committed then. */
  auto: boolean;
};

async function commitStep(work: PlanningContext, { key, files, subject, auto }: Committing) {
  const { runStore, repo, deps } = work;
  const { branch = "", [key]: before } = runStore.state();
  const paths = files.map(({ path }) => path);
  const planned = before ?? {
    ...(await planCommit(repo, deps.system.clock.now())),
    paths,
  };
  if (!auto && before) {
    const { commit } = await readStartPoint(repo);
    await runStore.advance({ [key]: { ...planned, commit } }, "planning");
    return undefined;
  }
  await runStore.advance({ [key]: planned }, "planning");
  if (!auto) {
    await writeInto(repo, files);
    const why = `Written and not committed, as configured: ${paths.join(", ")}.`;
    return { why, next: handOver };
  }
  const commit = await commitWrittenFiles(repo, { branch, planned, files, subject });
  deps.log(`Commit   ${commit.slice(0, 12)} ${subject}`);
  await runStore.advance({ [key]: { ...planned, commit } }, "planning");
  return undefined;
}

const handOver = "Commit it, then go on with `ralph autopilot --resume`.";

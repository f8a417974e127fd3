import { createCommit, publishCommit } from "../../git/commits/commit.ts";
import { readStartPoint } from "../../git/commits/start-point.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { syncUserIndex } from "../../git/worktree/sync-user-index.ts";
import type { System } from "../../platform/system.ts";
import type { PlannedCommit } from "../../schema/autopilot/plan.ts";
import { runsFolder } from "../reports/processed-reports.ts";

export type WrittenFile = { path: string; text: string };

type Spot = Pick<PlannedCommit, "parent" | "tree" | "date">;

/** Fixes where a commit will be made and when, before anything of it is written. */
export async function planCommit(repo: Repository, now: number): Promise<Spot> {
  const { commit: parent, tree } = await readStartPoint(repo);
  return { parent, tree, date: new Date(now).toISOString() };
}

export type CommitRequest = {
  branch: string;
  planned: Spot;
  files: readonly WrittenFile[];
  /** Its first line. */
  subject: string;
};

/** Writes files into the work tree and commits them. After a crash the same call gives the same commit. */
export async function commitWrittenFiles(
  repo: Repository,
  request: CommitRequest,
): Promise<string> {
  const { branch, planned, files, subject } = request;
  const { parent, tree, date } = planned;
  await writeInto(repo, files);
  const paths = files.map(({ path }) => path);
  const message = `${subject}\n`;
  const { commit } = await createCommit(repo, { parent, tree, date, paths, message });
  // Before the branch moves: a kill in between leaves files that are staged, and the run's own.
  await syncUserIndex(repo);
  await publishCommit(repo, { branch, parent, commit });
  return commit;
}

/** Writes files below the project root. One that is as it should be is not touched, so that git need not look again. */
export async function writeInto(
  { system, root }: { system: Pick<System, "files">; root: string },
  files: readonly WrittenFile[],
): Promise<void> {
  const project = system.files(root);
  for (const { path, text } of files) {
    const isThere = (await project.stat(path))?.kind === "file";
    if (isThere && (await project.read(path))?.toString("utf8") === text) continue;
    await project.write(path, text);
  }
}

/** Records are shown while a run goes on and committed by whoever publishes, so git is not to see them before. */
export async function hideRecords(repo: Repository): Promise<void> {
  const line = `/${repo.prefix.replaceAll(/[\\*?[]/g, "\\$&")}${runsFolder}/`;
  for (const folder of [repo.commonDir, repo.privateDir]) {
    const files = repo.system.files(folder);
    const text = (await files.read("info/exclude"))?.toString() ?? "";
    if (text.split("\n").includes(line)) continue;
    const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    await files.write("info/exclude", `${start}${line}\n`);
  }
}

import { join, normalize } from "node:path/posix";
import type { Repository } from "../../git/repository/repository.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { treeFiles } from "../../git/trees/tree-files.ts";
import { analysisPath } from "../../schema/autopilot/analysis.ts";
import type { Autopilot } from "../../schema/config/autopilot.ts";
import { checkPrd } from "../../schema/tasks/check-prd.ts";
import { archivePlan, needsArchive } from "./archive-plan.ts";
import type { AutopilotRun } from "./autopilot-run.ts";
import type { WrittenFile } from "./commit.ts";

/** The files of another branch's run that the new list would write over, in the archive; none when they are there. */
export async function archivedFiles(
  repo: Repository,
  { run, settings }: { run: AutopilotRun; settings: Autopilot },
): Promise<WrittenFile[]> {
  const { archive, progress } = settings.memory;
  const { base, branch = "", task_path } = run;
  const read = async (path: string) =>
    (await readBlob(repo, { treeish: base, path: normalize(path) }))?.toString("utf8");
  const list = await read(task_path);
  const current = list === undefined ? undefined : parseList(list);
  if (archive === false || !current?.branchName || !needsArchive(current, branch)) return [];
  const taken = await (await treeFiles(repo, base)).list(normalize(archive));
  for (const name of taken) {
    if ((await read(join(archive, name, "prd.json"))) === list) return [];
  }
  const texts = new Map([["prd.json", list]]);
  for (const [name, path] of [
    ["analysis.json", analysisPath] as const,
    ["progress.txt", progress] as const,
  ])
    texts.set(name, await read(path));
  const plan = archivePlan({
    folder: normalize(archive),
    branch: current.branchName,
    prefix: settings.branch_prefix,
    startedAt: Date.parse(current.metadata?.createdAt ?? run.started_at),
    sources: Object.fromEntries(
      [...texts].flatMap(([name, text]) => (text === undefined ? [] : [[name, name]])),
    ),
    taken,
  });
  return (plan?.copies ?? []).map(({ from, to }) => ({ path: to, text: texts.get(from) ?? "" }));
}

function parseList(text: string) {
  try {
    return checkPrd(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

import { createHash } from "node:crypto";
import { normalize } from "node:path/posix";
import { RalphError } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { runGit } from "../../git/repository/run-git.ts";
import { type TreeChange, treeChanges } from "../../git/trees/tree-changes.ts";
import { splitRecords, toProjectPath, toTreePath } from "../../git/trees/tree-path.ts";
import { analysisPath, renderAnalysis } from "../../schema/autopilot/analysis.ts";
import type { AutopilotPlan } from "../../schema/autopilot/plan.ts";
import type { Config } from "../../schema/config/config.ts";
import { parseTaskFile } from "../../sources/task-file.ts";

/** The files that the commits of a plan may change; ids are blob ids. */
export interface PlanRules {
  /** Analysis, document and task list, with the content the plan states. */
  files: ReadonlyMap<string, string>;
  document: string | undefined;
  /** `autopilot.memory.archive`. */
  archive: string | false;
  /** Names of archived files, with the content they have in the base commit under their original name. */
  copies: ReadonlyMap<string, string>;
  /** All of these files that the base commit holds, and its archive. */
  base: ReadonlyMap<string, string>;
}

/** A commit with its changes, by paths below the project root. */
export interface PlanStep {
  commit: string;
  changes: readonly TreeChange[];
}

/** Reads the changes of a plan's commit, compared with its parent. */
export async function readStep(repo: Repository, commit: string): Promise<PlanStep> {
  const changes = await treeChanges(repo, { from: `${commit}^`, to: commit });
  const below = ({ path, ...sides }: TreeChange) => ({
    path: toProjectPath(repo.prefix, path),
    ...sides,
  });
  return { commit, changes: changes.map(below) };
}

/** The rules for a plan: paths from the base commit's configuration, contents from the plan. */
export async function readRules(
  repo: Repository,
  { plan, config }: { plan: AutopilotPlan; config: Config },
): Promise<PlanRules> {
  const { archive: folder, progress } = config.autopilot.memory;
  const archive = folder && plain(folder);
  const sources = { "prd.json": plan.task_path, "analysis.json": analysisPath };
  const archived = Object.entries({ ...sources, "progress.txt": plain(progress) });
  const base = await idsAt(repo, plan.base, [
    ...archived.map(([, path]) => path),
    ...(plan.document ? [plan.document.path] : []),
    ...(archive === false ? [] : [archive]),
  ]);
  const files = new Map(
    textsOf(plan).map(([path, text]) => [path, blobId(text, plan.base)] as const),
  );
  const copies = archived.flatMap(([name, path]) => {
    const id = base.get(path);
    return id === undefined ? [] : [[name, id] as const];
  });
  return { files, document: plan.document?.path, archive, copies: new Map(copies), base };
}

function textsOf({
  analyzed,
  document,
  list,
  list_commit,
  task_path,
}: AutopilotPlan): [string, string][] {
  return [
    ...(analyzed ? [[analysisPath, renderAnalysis(analyzed.analysis)] as [string, string]] : []),
    ...(document ? [[document.path, document.text] as [string, string]] : []),
    ...(list_commit ? [[task_path, list ?? ""] as [string, string]] : []),
  ];
}

/** The blob id of a content, with the repository's hash function. */
function blobId(text: string, { length }: string): string {
  const content = Buffer.from(text);
  const hash = createHash(length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}

async function idsAt(repo: Repository, commit: string, paths: readonly string[]) {
  const specs = paths.map((path) => toTreePath(repo.prefix, path));
  const args = ["--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", commit, "--"];
  const records = splitRecords(await runGit(repo, [...args, ...specs]));
  return new Map(
    records.flatMap((record) => {
      const [, id = "", path = ""] = /^\d+ \w+ ([0-9a-f]+)\t(.+)$/s.exec(record) ?? [];
      return path === "" ? [] : [[toProjectPath(repo.prefix, path), id] as const];
    }),
  );
}

/** Problems with the paths and the task list of a plan. Pure. */
export function shapeProblems(plan: AutopilotPlan, { autopilot }: Config): string[] {
  const { document, task_path, list, list_commit } = plan;
  const folder = plain(autopilot.prd.output_dir);
  const name = document?.path.slice(folder.length + 1) ?? "";
  const isBelow = document?.path.startsWith(`${folder}/`) && /^prd-[a-z0-9-]+\.md$/.test(name);
  return [
    ...(plan.analyzed ? [] : ["has no analysis"]),
    ...(document && !isBelow ? [`has its document at ${document.path}, outside of ${folder}`] : []),
    ...(task_path === plain(autopilot.tasks.output)
      ? []
      : [`has its task list at ${task_path}, not at ${autopilot.tasks.output}`]),
    ...(list_commit ? listProblems(plan, list ?? "") : []),
  ];
}

function listProblems({ task_path, branch }: AutopilotPlan, list: string): string[] {
  try {
    const { prd } = parseTaskFile(Buffer.from(list), task_path);
    const passed = prd.tasks.filter((task) => task.passes || task.subtasks?.some((s) => s.passes));
    return [
      ...passed.map(({ id }) => `says that ${id} has passed before any work was done`),
      // It marks the criteria as written by a model for everything that runs them.
      ...(prd.metadata?.source === "autopilot"
        ? []
        : ["has a task list that `ralph autopilot` did not write"]),
      ...(prd.branchName === branch ? [] : ["has a task list for another branch"]),
    ];
  } catch (error) {
    if (error instanceof RalphError) return [`has no task list: ${error.message}`];
    throw error;
  }
}

/** Problems with the commits of a plan. `hasEdits`: a person changed the document in between. Pure. */
export function stepProblems(
  steps: readonly PlanStep[],
  { rules, hasEdits }: { rules: PlanRules; hasEdits: boolean },
): string[] {
  const folders = new Set<string>();
  const last = new Map(rules.base);
  const problems: string[] = [];
  for (const { commit, changes } of steps) {
    for (const change of changes) {
      last.set(change.path, change.after.id);
      const isEdited = hasEdits && change.path === rules.document;
      const problem = changeProblem(change, { rules, folders, isEdited });
      if (problem) problems.push(`${change.path} of commit ${commit.slice(0, 12)} ${problem}`);
    }
  }
  const missing = [...rules.files].filter(([path, id]) => last.get(path) !== id);
  return [
    ...problems,
    ...(folders.size > 1 ? ["has more than one folder in the archive"] : []),
    ...missing.map(([path]) => `${path} ends with another content than the plan states`),
  ];
}

type Frame = { rules: PlanRules; folders: Set<string>; isEdited: boolean };

function changeProblem({ path, after }: TreeChange, frame: Frame): string | undefined {
  const { rules, folders, isEdited } = frame;
  if (after.mode !== "100644") return "is not a plain file";
  if (isEdited) return undefined;
  const expected = rules.files.get(path) ?? archivedId(path, { rules, folders });
  if (expected === undefined) return "is not a file a plan may change";
  return expected === after.id ? undefined : "has another content than the plan states";
}

/** The archive accepts only copies, and only in a new folder. */
function archivedId(path: string, { rules, folders }: { rules: PlanRules; folders: Set<string> }) {
  const { archive, copies, base } = rules;
  if (archive === false || !path.startsWith(`${archive}/`)) return undefined;
  const [folder = "", name = "", ...more] = path.slice(archive.length + 1).split("/");
  const isNew = ![...base.keys()].some((each) => each.startsWith(`${archive}/${folder}/`));
  if (more.length > 0 || !isNew || !/^[a-z0-9][a-z0-9-]*$/.test(folder)) return undefined;
  folders.add(folder);
  return copies.get(name);
}

const plain = (path: string) => normalize(path).replace(/\/$/, "");

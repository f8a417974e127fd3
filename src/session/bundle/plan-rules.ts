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

/** What the commits of a plan may bring; ids are those of file contents. */
export interface PlanRules {
  /** Analysis, document and task list, with what the run says is in them. */
  files: ReadonlyMap<string, string>;
  document: string | undefined;
  /** `autopilot.memory.archive`. */
  archive: string | false;
  /** Names of archived files, with what stands in the base commit under the name they had. */
  copies: ReadonlyMap<string, string>;
  /** Everything of these that the base commit holds, the archive with it. */
  base: ReadonlyMap<string, string>;
}

/** A commit with what it changes, by paths below the project root. */
export interface PlanStep {
  commit: string;
  changes: readonly TreeChange[];
}

/** What a commit of a plan changes, compared with its parent. */
export async function readStep(repo: Repository, commit: string): Promise<PlanStep> {
  const changes = await treeChanges(repo, { from: `${commit}^`, to: commit });
  const below = ({ path, ...sides }: TreeChange) => ({
    path: toProjectPath(repo.prefix, path),
    ...sides,
  });
  return { commit, changes: changes.map(below) };
}

/** The rules for a plan: places from the base commit's configuration, contents from the run. */
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

/** The id git gives to a content, by the hash the repository's ids are made with. */
function blobId(text: string, { length }: string): string {
  const content = Buffer.from(text);
  const hash = createHash(length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}

async function idsAt(
  repo: Repository,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
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

/** Where a plan may write at all, and what its task list may say. Pure. */
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
      ...passed.map(({ id }) => `says that ${id} has passed before anybody worked on it`),
      // Whoever runs its criteria knows by this that a model wrote them.
      ...(prd.metadata?.source === "autopilot" ? [] : ["has a task list that is not autopilot's"]),
      ...(prd.branchName === branch ? [] : ["has a task list for another branch"]),
    ];
  } catch (error) {
    if (error instanceof RalphError) return [`has no task list: ${error.message}`];
    throw error;
  }
}

/** What speaks against the commits of a plan. `hasEdits`: people have changed the document in between. Pure. */
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
    ...missing.map(([path]) => `${path} is at the end not what the run says it is`),
  ];
}

type Frame = { rules: PlanRules; folders: Set<string>; isEdited: boolean };

function changeProblem({ path, after }: TreeChange, frame: Frame): string | undefined {
  const { rules, folders, isEdited } = frame;
  if (after.mode !== "100644") return "is no plain file";
  if (isEdited) return undefined;
  const expected = rules.files.get(path) ?? archivedId(path, { rules, folders });
  if (expected === undefined) return "is nothing a plan may change";
  return expected === after.id ? undefined : "is not what the run says it is";
}

/** Only copies, and only into a folder that was not there. */
function archivedId(
  path: string,
  { rules, folders }: { rules: PlanRules; folders: Set<string> },
): string | undefined {
  const { archive, copies, base } = rules;
  if (archive === false || !path.startsWith(`${archive}/`)) return undefined;
  const [folder = "", name = "", ...more] = path.slice(archive.length + 1).split("/");
  const isNew = ![...base.keys()].some((each) => each.startsWith(`${archive}/${folder}/`));
  if (more.length > 0 || !isNew || !/^[a-z0-9][a-z0-9-]*$/.test(folder)) return undefined;
  folders.add(folder);
  return copies.get(name);
}

const plain = (path: string) => normalize(path).replace(/\/$/, "");

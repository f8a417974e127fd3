import { roleTeller } from "../core/checks/file-roles.ts";
import type { Repository } from "../git/repository/repository.ts";
import { type ChangedFile, diffTrees } from "../git/trees/diff-trees.ts";
import { treeOf } from "../git/trees/objects.ts";
import { treeFiles } from "../git/trees/tree-files.ts";
import type { Files } from "../platform/system.ts";
import type { Config } from "../schema/config/config.ts";
import type { EvaluationTask as Written } from "../schema/tasks/evaluation.ts";

const maxDiffBytes = 4 * 1024 * 1024;

/** The files a commit changed since its first parent, by their role for the proof. */
export async function changedByRole(
  repo: Repository,
  { config, commit }: { config: Config; commit: string },
) {
  const [from, to] = [await treeOf(repo, `${commit}^`), await treeOf(repo, commit)];
  const { files } = await diffTrees(repo, { from, to, maxBytes: maxDiffBytes });
  const roleOf = roleTeller({
    testPaths: config.test_paths,
    gateCommands: [...config.gates.build, ...config.gates.full].map(({ cmd }) => cmd),
  });
  return Map.groupBy(files, ({ path }) => roleOf(path));
}

export type HiddenFiles = ReadonlyMap<string, Buffer | undefined>;

/** The content of a commit's files; deleted ones are undefined. */
export async function filesOfCommit(
  repo: Repository,
  { commit, files }: { commit: string; files: readonly ChangedFile[] },
): Promise<HiddenFiles> {
  const tree = await treeFiles(repo, await treeOf(repo, commit));
  const entries = files.map(async ({ path }) => [path, await tree.read(path)] as const);
  return new Map(await Promise.all(entries));
}

/** All files below a folder, by their path in it. */
export async function filesOfFolder(files: Files, folder = ""): Promise<HiddenFiles> {
  const found = new Map<string, Buffer | undefined>();
  for (const name of await files.list(folder)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    const kind = (await files.stat(path))?.kind;
    if (kind === "folder") {
      for (const [below, text] of await filesOfFolder(files, path)) found.set(below, text);
    } else if (kind === "file") found.set(path, await files.read(path));
  }
  return found;
}

/** Lays them over a folder. */
export async function layOver(files: Files, hidden: HiddenFiles): Promise<void> {
  for (const [path, content] of hidden) {
    if (content === undefined) await files.remove(path);
    else await files.write(path, content);
  }
}

/** One task of an evaluation: its text for agents, their start commit, and the tests that judge the result. */
export interface PreparedTask {
  name: string;
  task: Pick<
    Written,
    "title" | "description" | "acceptanceCriteria" | "requiresTests" | "changesBehaviour" | "order"
  >;
  /** The commit on which agents start. */
  start: string;
  /** Files laid over the result, by path; undefined removes one. Agents never see them. */
  hidden: ReadonlyMap<string, Buffer | undefined>;
  isImpossible: boolean;
}

import { pathMatcher } from "../../core/checks/path-pattern.ts";
import { RalphError } from "../../error.ts";
import { userEnvironment } from "../../git/repository/environment.ts";
import type { ReadFiles, System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { isMarkdown } from "../../sources/markdown-tasks.ts";

/** The task list the user named instead of the configuration's. Paths are relative to the project root. */
export type TaskSelection = {
  tasks?: string | undefined;
  /** A change request, or a pattern: the newest match is used. */
  cr?: string | undefined;
  latestCr?: boolean | undefined;
};

type Outside = Pick<System, "ask" | "env" | "files">;

const usualRequests = "changes/CR-*.md";
const maxDepth = 20;
const skipped = new Set([".git", "node_modules"]);

/** The path of the task list: the one the user named, else the configuration's. For a pattern, the newest match. */
export async function findTaskPath(
  system: Outside,
  root: string,
  { source, asked = {} }: { source: Config["task_source"]; asked?: TaskSelection },
): Promise<string> {
  const path = plain(wanted(source, asked));
  if (!isPattern(path)) return path;
  const found = await matchingFiles(system.files(root), path);
  const newest = await newestOf(system, root, found);
  if (newest !== undefined) return newest;
  throw new RalphError("source", {
    message: `No file matches ${path}, where the change requests should be.`,
    remedy: "Write one there, or name one with `--cr FILE`.",
  });
}

function wanted(source: Config["task_source"], { tasks, cr, latestCr }: TaskSelection): string {
  const named = [tasks, cr, latestCr || undefined].filter((each) => each !== undefined);
  if (named.length > 1) {
    throw new RalphError("config", {
      message: "Only one of --prd-json, --cr and --latest-cr can say where the tasks are.",
      remedy: "Leave out the others.",
    });
  }
  if (cr !== undefined && !isMarkdown(cr)) {
    throw new RalphError("config", {
      message: `--cr names ${cr}, which is not a Markdown file (.md).`,
      remedy: "Name a JSON task list with `--prd-json` instead.",
    });
  }
  if (latestCr) return source.type === "cr_markdown" ? source.path : usualRequests;
  return tasks ?? cr ?? source.path;
}

export const isPattern = (path: string) => /[*?]/.test(path);

const plain = (path: string) => path.replace(/^(?:\.\/)+/, "");

/** The files that match a pattern, sorted by name; digits in names sort as numbers. */
export async function matchingFiles(files: ReadFiles, pattern: string): Promise<string[]> {
  const fixed = plain(pattern).split("/");
  const first = fixed.findIndex(isPattern);
  const base = fixed.slice(0, Math.max(0, first)).join("/");
  const all = await filesBelow(files, base, maxDepth);
  const { compare } = new Intl.Collator("en", { numeric: true });
  return all.filter(pathMatcher([plain(pattern)])).toSorted(compare);
}

async function filesBelow(files: ReadFiles, folder: string, depth: number): Promise<string[]> {
  if (depth === 0 || !(await isFolder(files, folder))) return [];
  const names = (await files.list(folder || ".")).filter((name) => !skipped.has(name));
  const found: string[] = [];
  for (const name of names) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if ((await files.stat(path))?.kind === "file") found.push(path);
    else found.push(...(await filesBelow(files, path, depth - 1)));
  }
  return found;
}

const isFolder = async (files: ReadFiles, path: string) =>
  path === "" || (await files.stat(path))?.kind === "folder";

/** By date of the last commit, because in a fresh checkout all files have the same age; then by name (compatibility 1.19). */
async function newestOf(system: Outside, root: string, paths: readonly string[]) {
  if (paths.length < 2) return paths[0];
  let newest: { path: string; date: number } | undefined;
  for (const path of paths) {
    const date = await committedAt(system, root, path);
    if (!newest || date >= newest.date) newest = { path, date };
  }
  return newest?.path;
}

/** Seconds since 1970; a file that was never committed counts as the newest. */
async function committedAt({ ask, env }: Outside, cwd: string, path: string): Promise<number> {
  const args = ["log", "-1", "--no-show-signature", "--format=%ct", "--", path];
  const literal = { ...userEnvironment(env), GIT_LITERAL_PATHSPECS: "1" };
  const { stdout } = await ask({ file: "git", args, cwd, env: literal });
  return Number(stdout.toString().trim() || Number.POSITIVE_INFINITY);
}

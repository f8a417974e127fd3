import { basename, dirname } from "node:path/posix";
import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import { locateRepository, type RepositoryPaths } from "../repository/locate-repository.ts";
import type { Repository } from "../repository/repository.ts";
import { listPaths } from "../trees/list-paths.ts";
import { toProjectPath } from "../trees/tree-path.ts";

type Outside = Pick<System, "ask" | "files" | "env">;

/**
 * The session directory, with the work tree's own name; exit 1 if the folder belongs to something else. Each session
 * replaces its content, and git ignores it. `requireUntracked` checks whether git tracks it.
 */
export async function checkSessionDir(
  system: Outside,
  { root, sessionDir }: { root: string; sessionDir: string },
): Promise<string> {
  const paths = await locateRepository(system, root);
  const path = await byOwnName(system, paths, sessionDir);
  const problem = reservedProblem(paths, path) ?? (await foundProblem(system, paths, path));
  if (problem === undefined) return path;
  throw refusal(shownFrom(paths.root, path), problem);
}

/** The session directory must hold no tracked file: ralph would overwrite it. */
export async function requireUntracked(repo: Repository): Promise<void> {
  const { prefix, sessionDir } = repo;
  if (sessionDir === undefined) return;
  const path = toProjectPath(prefix, sessionDir).replace(/\/$/, "");
  const [tracked] = await listPaths(repo, path);
  if (tracked !== undefined) throw refusal(path, `git tracks ${tracked}`);
}

const refusal = (path: string, problem: string) =>
  new RalphError("config", {
    message: `The session's files cannot be shown in ${path}: ${problem}.`,
    remedy:
      "Name an empty folder with `--session-dir` or RALPH_SESSION_DIR, or omit both for .ralph-session.",
  });

const isWithin = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`);

const shownFrom = (root: string, path: string) =>
  path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;

/** Why a session may not use a folder, regardless of its content. Pure. */
function reservedProblem({ root, gitDir, commonDir }: RepositoryPaths, path: string) {
  if (isWithin(path, root)) return "the project lies in it";
  const isGit = [gitDir, commonDir].some((folder) => isWithin(folder, path));
  if (isGit || /\/\.git(?:\/|$)/i.test(path)) return "it belongs to git";
  if (path === `${root}/.ralph`) return "configuration and task list belong there";
  // git reads one pattern per line.
  return /[\r\n]/.test(path) ? "its name has a line break" : undefined;
}

/** The default directory is repaired: an agent could block it. A folder the user chose is never cleared. */
async function foundProblem({ files }: Outside, { root, worktree }: RepositoryPaths, path: string) {
  if (path === `${root}/.ralph-session`) return undefined;
  const from = isWithin(worktree, path) ? worktree : dirname(path);
  for (const folder of foldersTo(from, path)) {
    const kind = (await files(dirname(folder)).stat(basename(folder)))?.kind;
    if (kind === undefined) return undefined;
    const what = kind === "other" ? "no folder" : `a ${kind}`;
    if (kind !== "folder") return `${shownFrom(root, folder)} is ${what}`;
  }
  const [names, logs] = await Promise.all([files(path).list(""), files(path).list("logs")]);
  const isOurs = names.includes("session.json") || logs.includes("timeline.jsonl");
  return logs.length > 0 && !isOurs ? "it holds the logs of something else" : undefined;
}

/** `/r/a`, `/r/a/b` from `/r` to `/r/a/b`. */
function foldersTo(from: string, path: string): string[] {
  const parts = path.slice(from.length + 1).split("/");
  return parts.map((_, index) => [from, ...parts.slice(0, index + 1)].join("/"));
}

/** A link above the work tree may be part of the path; below it no link is followed. */
async function byOwnName(
  { ask, files, env }: Outside,
  { worktree }: RepositoryPaths,
  path: string,
): Promise<string> {
  if (isWithin(worktree, path) || isWithin(path, worktree)) return path;
  const above: string[] = [];
  for (const folder of foldersTo("", path)) {
    if (await files(folder).stat("")) above.push(folder);
  }
  const { stdout } = await ask({
    file: "readlink",
    args: ["-f", "--", ...above],
    cwd: worktree,
    env: { PATH: env.PATH, LC_ALL: "C" },
  });
  const names = stdout.toString().split("\n");
  const at = names.findIndex((name) => isWithin(worktree, name));
  return at < 0 ? path : `${names[at]}${path.slice(above[at]?.length)}`;
}

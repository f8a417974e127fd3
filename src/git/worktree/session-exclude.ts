import type { Files, System } from "../../platform/system.ts";
import type { Repository } from "../repository/repository.ts";
import { requireUntracked } from "./session-dir.ts";

/** Files of ralph, and of tools whose state it may write, that are never committed (design 9.2). */
const ourFiles = [
  ".ralph-session/",
  ".omx/",
  ".omc/",
  ".claude/ralph/",
  ".ralph/failures.json",
  ".ralph/metrics.json",
  ".ralph/blockers.md",
  ".ralph/guardrails.md.lock",
  ".ralph/ABORT",
];

const exclude = "info/exclude";

/** Whether ralph writes a path below the project root and never commits it. */
export const isSessionFile = (path: string): boolean =>
  ourFiles.some((ours) => (ours.endsWith("/") ? path.startsWith(ours) : path === ours));

/** An exclude file with ralph's lines added once; the user's lines do not change. Pure. */
export const withSessionLines = (text: string, prefix: string): string =>
  withPaths(
    text,
    ourFiles.map((path) => `${prefix}${path}`),
  );

function withPaths(text: string, paths: readonly string[]): string {
  const present = new Set(text.split("\n"));
  const missing = paths
    .map((path) => `/${escapePattern(path)}`)
    .filter((line) => !present.has(line));
  if (missing.length === 0) return text;
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return `${start}${missing.join("\n")}\n`;
}

/** The repository with its session directory, which git no longer lists. Tracked files in it are refused (exit 1). */
export async function hideSessionDir(opened: Repository, sessionDir: string): Promise<Repository> {
  const above = `${opened.worktree}/`;
  if (!sessionDir.startsWith(above)) return opened;
  const repo = { ...opened, sessionDir: `${sessionDir.slice(above.length)}/` };
  await requireUntracked(repo);
  await addLines(repo.system.files(repo.privateDir), repo);
  return repo;
}

/** Hides ralph's files from the user's own `git status` too. This has no effect on tracked files. */
export async function excludeSessionFiles(repo: Repository): Promise<void> {
  await requireUntracked(repo);
  await addLines(repo.system.files(repo.commonDir), repo);
}

/** Hides them where no session runs, such as in a hook: the next commit of everything would hold them. */
export async function excludeOwnFiles(
  { files }: Pick<System, "files">,
  { commonDir, prefix }: Pick<Repository, "commonDir" | "prefix">,
): Promise<void> {
  await addLines(files(commonDir), { prefix });
}

async function addLines(
  files: Files,
  { prefix, sessionDir }: Pick<Repository, "prefix" | "sessionDir">,
): Promise<void> {
  const text = (await files.read(exclude))?.toString() ?? "";
  const own = withSessionLines(text, prefix);
  const wanted = sessionDir === undefined ? own : withPaths(own, [sessionDir]);
  if (wanted !== text) await files.write(exclude, wanted);
}

const escapePattern = (path: string): string => path.replaceAll(/[\\*?[]/g, "\\$&");

import type { Files } from "../../platform/system.ts";
import type { Repository } from "../repository/repository.ts";
import { requireUntracked } from "./session-dir.ts";

/** Files of ours, and of tools whose state we may write, that are never part of a commit (design 9.2). */
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

/** Whether a path below the project root is one we write ourselves and never commit. */
export function isSessionFile(path: string): boolean {
  return ourFiles.some((ours) => (ours.endsWith("/") ? path.startsWith(ours) : path === ours));
}

/** Pure: an exclude file with our lines added once; every line of the user's stays as it is. */
export function withSessionLines(text: string, prefix: string): string {
  return withPaths(
    text,
    ourFiles.map((path) => `${prefix}${path}`),
  );
}

function withPaths(text: string, paths: readonly string[]): string {
  const present = new Set(text.split("\n"));
  const missing = paths
    .map((path) => `/${escapePattern(path)}`)
    .filter((line) => !present.has(line));
  if (missing.length === 0) return text;
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return `${start}${missing.join("\n")}\n`;
}

/**
 * The repository with the session directory known to it: what lies in it is from now on neither seen nor judged nor
 * committed, wherever it is. A directory that holds tracked files is refused (exit 1). Nothing of the user's changes.
 */
export async function hideSessionDir(opened: Repository, sessionDir: string): Promise<Repository> {
  const above = `${opened.worktree}/`;
  if (!sessionDir.startsWith(above)) return opened;
  const repo = { ...opened, sessionDir: `${sessionDir.slice(above.length)}/` };
  await requireUntracked(repo);
  await addLines(repo.system.files(repo.privateDir), repo);
  return repo;
}

/** Hides our files from the user's own `git status` too. They must not be tracked: it would not help. */
export async function excludeSessionFiles(repo: Repository): Promise<void> {
  await requireUntracked(repo);
  await addLines(repo.system.files(repo.commonDir), repo);
}

async function addLines(files: Files, { prefix, sessionDir }: Repository): Promise<void> {
  const text = (await files.read(exclude))?.toString() ?? "";
  const own = withSessionLines(text, prefix);
  const wanted = sessionDir === undefined ? own : withPaths(own, [sessionDir]);
  if (wanted !== text) await files.write(exclude, wanted);
}

function escapePattern(path: string): string {
  return path.replaceAll(/[\\*?[]/g, "\\$&");
}

import type { Repository } from "./repository.ts";

/** Files of ours, and of tools whose state we may write, that are never part of a commit (design 9.2). */
const ourFiles = [
  ".ralph-session/",
  ".omx/",
  ".omc/",
  ".claude/ralph/",
  ".ralph/failures.json",
  ".ralph/metrics.json",
  ".ralph/blockers.md",
];

const exclude = "info/exclude";

/** Whether a path below the project root is one we write ourselves and never commit. */
export function isSessionFile(path: string): boolean {
  return ourFiles.some((ours) => (ours.endsWith("/") ? path.startsWith(ours) : path === ours));
}

/** Pure: an exclude file with our lines added once; every line of the user's stays as it is. */
export function withSessionLines(text: string, prefix: string): string {
  const present = new Set(text.split("\n"));
  const missing = ourFiles
    .map((path) => `/${escapePattern(prefix)}${path}`)
    .filter((line) => !present.has(line));
  if (missing.length === 0) return text;
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return `${start}${missing.join("\n")}\n`;
}

/** Hides our files from the user's own `git status` too. Tracked files are not affected by it. */
export async function excludeSessionFiles(repo: Repository): Promise<void> {
  const files = repo.system.files(repo.commonDir);
  const text = (await files.read(exclude))?.toString() ?? "";
  const wanted = withSessionLines(text, repo.prefix);
  if (wanted !== text) await files.write(exclude, wanted);
}

function escapePattern(path: string): string {
  return path.replaceAll(/[\\*?[]/g, "\\$&");
}

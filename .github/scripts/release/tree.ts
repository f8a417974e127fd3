import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Git } from "./git.ts";

export type TreeFile = { path: string; mode: string; content: Buffer };

export function readTreeFile(git: Git, commit: string, path: string): TreeFile {
  const [mode = ""] = git.line(["ls-tree", commit, "--", path]).split(" ");
  return { path, mode, content: git.bytes(["cat-file", "blob", `${commit}:${path}`]) };
}

/** The tree of a commit with these files in it. Made in an index of its own: checkout and index stay as they are. */
export function treeWith(git: Git, commit: string, files: readonly TreeFile[]): string {
  const folder = mkdtempSync(join(tmpdir(), "ralph-release-"));
  try {
    const env = { GIT_INDEX_FILE: join(folder, "index") };
    git.text(["read-tree", commit], { env });
    const lines = files.map(({ path, mode, content }) => {
      const id = git.line(["hash-object", "-w", "--stdin"], { input: content });
      return `${mode} ${id} 0\t${path}\0`;
    });
    git.text(["update-index", "-z", "--index-info"], { env, input: lines.join("") });
    return git.line(["write-tree"], { env });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

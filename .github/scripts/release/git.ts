import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type GitOptions = { input?: string | Buffer; env?: Record<string, string> };

/** Git in one repository. Whatever fails is thrown with what git said. */
export interface Git {
  readonly root: string;
  text: (args: readonly string[], options?: GitOptions) => string;
  /** Without the line end. */
  line: (args: readonly string[], options?: GitOptions) => string;
  /** Every byte as it is. */
  bytes: (args: readonly string[], options?: GitOptions) => Buffer;
}

const maxBuffer = 256 * 1024 * 1024;

export function createGit(root: string, variables: Record<string, string> = {}): Git {
  const bytes: Git["bytes"] = (args, { input = "", env = {} } = {}) =>
    execFileSync("git", args, {
      cwd: root,
      env: { ...process.env, ...variables, ...env },
      input,
      maxBuffer,
      stdio: ["pipe", "pipe", "pipe"],
    });
  const text: Git["text"] = (args, options) => bytes(args, options).toString();
  return { root, bytes, text, line: (args, options) => text(args, options).trim() };
}

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

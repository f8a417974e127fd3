import { execFileSync } from "node:child_process";

export type GitOptions = { input?: string | Buffer; env?: Record<string, string> };

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

import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { GateDeps } from "../../src/gates/gates.ts";
import { findShell } from "../../src/gates/run-shell.ts";
import type { TestSystem } from "../support/project/system.ts";

/** The real shell in the system's folder, without a sandbox; `secret` is redacted. */
export async function gateDeps(
  system: TestSystem,
  overrides: Partial<GateDeps> = {},
): Promise<GateDeps> {
  const { root, env, supervise } = system;
  return {
    supervise,
    root,
    env,
    shell: await findShell(system, { root, env }),
    wrap: (program) => program,
    redact: (text) => text.replaceAll("secret", "***"),
    signal: new AbortController().signal,
    paths: async () => [],
    ...overrides,
  };
}

/** Writes files below a folder; a value that begins with `->` is a link to what follows. */
export async function writeTree(root: string, tree: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(tree)) {
    const target = join(root, path);
    await mkdir(dirname(target), { recursive: true });
    if (content.startsWith("->")) await symlink(content.slice(2), target);
    else await writeFile(target, content);
  }
}

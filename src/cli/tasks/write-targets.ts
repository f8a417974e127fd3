import { dirname, relative } from "node:path/posix";
import { RalphError, visible } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import {
  type PlannedFile,
  type WrittenFiles,
  writeFiles,
} from "../../scaffold/write/write-files.ts";
import { isMarkdown } from "../../sources/markdown-tasks.ts";
import { requirePlainName } from "../../sources/read-source.ts";

/** A file that a command writes. `path` is below `base`, which may be a link. */
export type WriteTarget = { base: string; path: string; shown: string; content: string };

/** The target for an absolute path; its shown name is relative to `directory`. */
export function targetAt(
  path: string,
  { root, directory, content }: { root: string; directory: string; content: string },
): WriteTarget {
  const base = path.startsWith(`${root}/`) ? root : dirname(path);
  const shown = relative(directory, path);
  requirePlainName({ file: shown, reason: "config" });
  return { base, path: relative(base, path), shown, content };
}

/** Requires a file name that fits the content: other commands detect the format by the name. */
export function requireName(file: string, holds: "JSON" | "Markdown"): void {
  const isWrong = holds === "JSON" ? isMarkdown(file) : /\.json$/i.test(file);
  if (!isWrong) return;
  throw new RalphError("config", {
    message: `${visible(file)} is not a name for ${holds}.`,
    remedy: `Name a file that ends with ${holds === "JSON" ? ".json" : ".md"}.`,
  });
}

/** Writes all files or none. With `force`, existing files are replaced and stay as `.bak` (compatibility 1.19). */
export async function writeTargets(
  system: Pick<System, "files">,
  targets: readonly WriteTarget[],
  { force, other }: { force: boolean; other?: string },
): Promise<WrittenFiles> {
  if (!force) await refuseExisting(system, targets, other);
  return writeFiles(system, targets.map(toPlanned), { force });
}

const toPlanned = ({ base, path, content }: WriteTarget): PlannedFile => ({
  base,
  path,
  purpose: "",
  content,
  kind: "text",
});

async function refuseExisting(
  { files }: Pick<System, "files">,
  targets: readonly WriteTarget[],
  other: string | undefined,
): Promise<void> {
  const there: string[] = [];
  for (const { base, path, shown, content } of targets) {
    const before = await files(base).read(path);
    if (before !== undefined && !before.equals(Buffer.from(content))) there.push(shown);
  }
  if (there.length === 0) return;
  const verb = there.length === 1 ? "exists" : "exist";
  throw new RalphError("config", {
    message: `${there.join(" and ")} already ${verb}. Nothing was written.`,
    remedy: `Replace with \`--force\`, which keeps the old file as .bak${other ? `, or ${other}` : ""}.`,
  });
}

/** The backup of a replaced file. */
export const backupOf = (
  { replaced }: WrittenFiles,
  { base, path }: WriteTarget,
): string | undefined =>
  replaced.find(({ file }) => file.base === base && file.path === path)?.backup;

import type { Dialect } from "../dialects/dialect.ts";
import { type Problem, RalphError, renderProblem } from "../error.ts";
import type { ReadFiles } from "../platform/system.ts";
import { limitProblems } from "../sources/accept-source.ts";
import { checkForeignFile, checkForeignText } from "./foreign-tree.ts";

/** A broken file of another tool, which ralph does not overwrite. */
export interface BrokenFile {
  tool: string;
  path: string;
  problems: readonly Problem[];
  /** A sentence. */
  remedy: string;
}

type ProjectHistory = {
  project: Pick<ReadFiles, "read" | "stat">;
  lastGood: (path: string, isSound: (text: string) => boolean) => Promise<string | undefined>;
};

/** Checks a file before it is written; undefined for a sound or missing one. */
export async function findBrokenFile(
  { project, lastGood }: ProjectHistory,
  dialect: Dialect,
  path: string,
): Promise<BrokenFile | undefined> {
  const tool = dialect.name;
  const blocked = await findBlockedFolder(project, path);
  if (blocked) return { tool, path, problems: [blocked], remedy: `Move ${blocked.file} away.` };
  const { problems, remedy } = await checkForeignFile(project, dialect, path);
  if (problems.length === 0) return undefined;
  const isSound = (text: string) => checkForeignText(dialect, path, text).problems.length === 0;
  const hint = remedy ?? restoreHint(path, await lastGood(path, isSound));
  return { tool, path, problems, remedy: hint };
}

/** A file that blocks a folder of the path. */
async function findBlockedFolder(
  project: Pick<ReadFiles, "stat">,
  path: string,
): Promise<Problem | undefined> {
  const parts = path.split("/").slice(0, -1);
  for (const length of parts.keys()) {
    const folder = parts.slice(0, length + 1).join("/");
    const kind = (await project.stat(folder))?.kind;
    // Reading the file reports a link.
    if (kind === undefined || kind === "link") return undefined;
    if (kind !== "folder") return { file: folder, message: "is not a folder" };
  }
  return undefined;
}

/** The remedy that restores the last sound version (specs 003, troubleshooting). */
export const restoreHint = (path: string, commit: string | undefined): string =>
  commit === undefined
    ? `git has no sound version of ${path}: repair the file, or move it away.`
    : `The last sound version is in commit ${commit.slice(0, 12)}: \`git checkout ${commit.slice(0, 12)} -- ${path}\`.`;

/** The error for broken files, which may be another tool's work: ralph writes to none of them. */
export function brokenFilesError(broken: readonly BrokenFile[]): RalphError {
  const reports = broken.map(({ tool, path, problems }) => {
    const lines = limitProblems(problems, path).map(renderProblem);
    return [`${path} is a file of ${tool} that cannot be used:`, ...lines].join("\n");
  });
  const remedies = [...new Set(broken.map(({ remedy }) => remedy))];
  return new RalphError("source", {
    message: reports.join("\n"),
    remedy: [...remedies, "Nothing was written to these files."].join("\n"),
    problems: broken.flatMap(({ problems }) => problems),
  });
}

/** The error for files that git tracks and every update would change. */
export function trackedFilesError(paths: readonly string[]): RalphError {
  const names = paths.join(" ");
  return new RalphError("config", {
    message: `\`compat.emit\` would change files that git tracks:\n${paths.map((path) => `  ${path}`).join("\n")}`,
    remedy: `The state of a run does not belong in a commit: \`git rm --cached -- ${names}\`, then commit that. Or leave their tool out of \`compat.emit\`.`,
  });
}

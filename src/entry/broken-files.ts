import type { Dialect } from "../dialects/dialect.ts";
import { type Problem, RalphError, renderProblem } from "../error.ts";
import type { ReadFiles } from "../platform/system.ts";
import { limitProblems } from "../sources/source-error.ts";
import { checkForeignFile, checkForeignText } from "./foreign-tree.ts";

/** A file of another tool that nobody may write over, and what can be done about it. */
export interface BrokenFile {
  tool: string;
  path: string;
  problems: readonly Problem[];
  /** A sentence. */
  remedy: string;
}

type Place = {
  project: Pick<ReadFiles, "read" | "stat">;
  lastGood: (path: string, isSound: (text: string) => boolean) => Promise<string | undefined>;
};

/** What is wrong with a file that is about to be written; undefined for a sound one, and for none at all. */
export async function findBrokenFile(
  { project, lastGood }: Place,
  dialect: Dialect,
  path: string,
): Promise<BrokenFile | undefined> {
  const inTheWay = await findBlockedFolder(project, path);
  if (inTheWay) {
    const way = `Move ${inTheWay.file} away.`;
    return { tool: dialect.name, path, problems: [inTheWay], remedy: way };
  }
  const { problems, remedy } = await checkForeignFile(project, dialect, path);
  if (problems.length === 0) return undefined;
  const isSound = (text: string) => checkForeignText(dialect, path, text).problems.length === 0;
  const way = remedy ?? restoreHint(path, await lastGood(path, isSound));
  return { tool: dialect.name, path, problems, remedy: way };
}

/** Something stands where a folder has to be. */
async function findBlockedFolder(
  project: Pick<ReadFiles, "stat">,
  path: string,
): Promise<Problem | undefined> {
  const parts = path.split("/").slice(0, -1);
  for (const length of parts.keys()) {
    const folder = parts.slice(0, length + 1).join("/");
    const kind = (await project.stat(folder))?.kind;
    // Of a link reading the file tells.
    if (kind === undefined || kind === "link") return undefined;
    if (kind !== "folder") return { file: folder, message: "is no folder" };
  }
  return undefined;
}

/** The way back to the last version that could be used (specs 003, troubleshooting). */
export const restoreHint = (path: string, commit: string | undefined): string =>
  commit === undefined
    ? `git has no sound version of ${path}: repair it, or move it away.`
    : `The last sound version is in commit ${commit.slice(0, 12)}: \`git checkout ${commit.slice(0, 12)} -- ${path}\`.`;

/** Files that may be another tool's work: nothing is written, and all of them are told. */
export function brokenFilesError(broken: readonly BrokenFile[]): RalphError {
  const told = broken.map(({ tool, path, problems }) => {
    const lines = limitProblems(problems, path).map(renderProblem);
    return [`${path} is a file of ${tool} that cannot be used:`, ...lines].join("\n");
  });
  const ways = [...new Set(broken.map(({ remedy: way }) => way))];
  return new RalphError("source", {
    message: told.join("\n"),
    remedy: [...ways, "Nothing was written to these files."].join("\n"),
    problems: broken.flatMap(({ problems }) => problems),
  });
}

/** Files that would be written all the time, though git tracks them. */
export function trackedFilesError(paths: readonly string[]): RalphError {
  const names = paths.join(" ");
  return new RalphError("config", {
    message: `\`compat.emit\` would change files that git tracks:\n${paths.map((path) => `  ${path}`).join("\n")}`,
    remedy: `The state of a run does not belong in a commit: \`git rm --cached -- ${names}\`, then commit that. Or leave their tool out of \`compat.emit\`.`,
  });
}

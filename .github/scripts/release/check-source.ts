import { type Problem, RalphError } from "../../../src/error.ts";
import { actionReference } from "../../../src/scaffold/write/published-addresses.ts";
import type { Git } from "./git.ts";
import { changesOf, type Version } from "./version.ts";

/** Refuses a checkout that is not exactly the commit to release, or whose files name another version. */
export function checkSource(git: Git, version: Version): void {
  requireClean(git);
  const problems = [
    ...wrongVersions(git, version),
    ...missingChanges(git, version),
    ...wrongMajor(version),
    ...ownBuild(git),
  ];
  if (problems.length === 0) return;
  throw new RalphError("config", {
    message: `This commit cannot be released as ${version.tag}.`,
    remedy: "Correct these files on main, and put the tag on that commit.",
    problems,
  });
}

function requireClean(git: Git): void {
  const dirt = git.text(["status", "--porcelain"]).trimEnd();
  if (dirt === "") return;
  throw new RalphError("git", {
    message: `The checkout differs from the tagged commit:\n${dirt}`,
    remedy: "Release from a fresh checkout.",
  });
}

const wrongVersions = (git: Git, { number }: Version): Problem[] =>
  ["package.json", "package-lock.json"]
    .map((file) => ({ file, version: JSON.parse(git.text(["show", `HEAD:${file}`])).version }))
    .filter(({ version }) => version !== number)
    .map(({ file, version }) => ({ file, message: `says ${version}, the release is ${number}` }));

function missingChanges(git: Git, version: Version): Problem[] {
  const file = "CHANGELOG.md";
  if (changesOf(git.text(["show", `HEAD:${file}`]), version) !== undefined) return [];
  return [{ file, message: `has no section "## ${version.number}" with text` }];
}

/** README, schemas and the workflow `ralph init` writes name a major version that must exist. */
function wrongMajor({ major }: Version): Problem[] {
  const [, named] = actionReference.split("@");
  if (named === major) return [];
  return [
    {
      file: "src/scaffold/write/published-addresses.ts",
      message: `names ${named}, the release is of ${major}`,
    },
  ];
}

function ownBuild(git: Git): Problem[] {
  if (git.line(["ls-tree", "HEAD", "dist"]) === "") return [];
  return [
    { file: "dist", message: "is in the commit: this is a release already, or main holds it" },
  ];
}

import { RalphError } from "../../../src/error.ts";
import { actionReference } from "../../../src/scaffold/write/published-addresses.ts";
import { type Git, readTreeFile, type TreeFile, treeWith } from "./git.ts";
import { namedFiles, placeholder } from "./own-name.ts";
import type { Version } from "./version.ts";

export type Source = {
  version: Version;
  /** The commit that was tagged. */
  commit: string;
  /** `owner/name` on GitHub. */
  repository: string;
  dist: readonly TreeFile[];
};

/** `dist` holds the build; `release` calls the action of exactly that commit from its reusable workflows. */
export type Commits = { dist: string; release: string };

const workflows = [".github/workflows/ralph.yml", ".github/workflows/autopilot.yml"];
const author = {
  name: "github-actions[bot]",
  email: "41898282+github-actions[bot]@users.noreply.github.com",
};

/** Makes the two commits of a release without touching the checkout. Made again, they have the same ids. */
export function createCommits(git: Git, source: Source): Commits {
  const { version, commit, repository, dist } = source;
  const built = treeWith(git, commit, [...namedFiles(git, commit, repository), ...dist]);
  const message = `release: dist of ${version.tag}\n\nBuilt from ${commit}.\n`;
  const first = commitTree(git, { tree: built, parent: commit, message });
  const called = workflows.map((path) =>
    pinWorkflow(readTreeFile(git, first, path), first, source),
  );
  const pinned = treeWith(git, first, called);
  const second = { tree: pinned, parent: first, message: `release: ${version.tag}\n` };
  return { dist: first, release: commitTree(git, second) };
}

/** A reusable workflow is taken from one commit; the action it names must not be another release's. */
function pinWorkflow(file: TreeFile, commit: string, { repository, version }: Source): TreeFile {
  const reference = actionReference.replace(placeholder, repository);
  const text = file.content.toString();
  const pinned = text.replaceAll(
    `uses: ${reference}\n`,
    `uses: ${repository}@${commit} # ${version.tag}\n`,
  );
  if (pinned !== text && !pinned.includes(`${reference}\n`)) {
    return { ...file, content: Buffer.from(pinned) };
  }
  throw new RalphError("config", {
    message: `${file.path} does not call ${reference} in lines of the form "uses: ${reference}".`,
    remedy: "Write it so; the release puts the commit there.",
  });
}

function commitTree(
  git: Git,
  { tree, parent, message }: { tree: string; parent: string; message: string },
): string {
  const date = git.line(["show", "-s", "--format=%ct +0000", parent]);
  const env = {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
    GIT_COMMITTER_DATE: date,
  };
  return git.line(["commit-tree", tree, "-p", parent], { input: message, env });
}

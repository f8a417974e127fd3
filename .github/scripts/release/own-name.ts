import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { actionReference } from "../../../src/scaffold/write/published-addresses.ts";
import { type Git, readTreeFile, type TreeFile } from "./git.ts";

/** The placeholder in our files for the repository they are released from. */
export const placeholder = actionReference.split("@")[0] ?? "";

const rename = (text: string, repository: string) => text.replaceAll(placeholder, repository);

/** Names the repository in the files of the checkout, so that the build has the right links. */
export function nameInCheckout(git: Git, repository: string): string[] {
  const paths = pathsWithPlaceholder(git, "HEAD");
  for (const path of paths) {
    const file = join(git.root, path);
    writeFileSync(file, rename(readFileSync(file, "utf8"), repository));
  }
  return paths;
}

/** The same files of a commit, as they stand in a release. */
export function namedFiles(git: Git, commit: string, repository: string): TreeFile[] {
  if (repository === placeholder) return [];
  return pathsWithPlaceholder(git, commit).map((path) => {
    const { mode, content } = readTreeFile(git, commit, path);
    return { path, mode, content: Buffer.from(rename(content.toString(), repository)) };
  });
}

function pathsWithPlaceholder(git: Git, commit: string): string[] {
  const found = git.text(["grep", "-I", "-l", "-z", "-F", placeholder, commit, "--", "."]);
  return found
    .split("\0")
    .filter((name) => name !== "")
    .map((name) => name.slice(commit.length + 1));
}

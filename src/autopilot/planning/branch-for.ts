import { RalphError } from "../../error.ts";
import { branchNameProblem, branchStart } from "../../git/commits/branch-name.ts";

/** With prefix and suffix, a name stays below the 100 characters of a task list. */
const maxSlugLength = 60;

export interface BranchRequest {
  /** The model's suggestion, unchecked. */
  suggestion: string;
  /** The item's name, for a suggestion without letters or digits. */
  item: string;
  prefix: string;
  /** Existing branches, local and remote, without `refs/heads/` or the remote's name. */
  taken: Iterable<string>;
}

/**
 * The branch of a run: the prefix, then lower-case words joined by hyphens (compatibility 1.21, T10). The prefix replaces
 * one leading word and slash of the suggestion. A taken name gets -2, -3, ...
 */
export function branchFor({ suggestion, item, prefix, taken }: BranchRequest): string {
  const start = branchStart({ branch_prefix: prefix });
  const name = suggestion.toLowerCase().trim();
  const bare = name.startsWith(start) ? name.slice(start.length) : name.replace(/^[\w.-]+\//, "");
  const suffix = slug(bare) || slug(item) || "work";
  return firstFree(`${start}${suffix}`, taken);
}

/** A branch requested by name. A name that git or a command line would misread is exit 1. */
export function namedBranch(name: string): string {
  const problem = branchNameProblem(name);
  if (problem === undefined) return name;
  throw new RalphError("config", {
    message: `${JSON.stringify(name)} cannot be a branch name: it ${problem}.`,
    remedy: "Name a branch such as ralph/add-login.",
  });
}

/** The branch without its prefix, for names of files and folders: `ralph/add-login` gives `add-login`. */
export function branchSlug(branch: string, prefix: string): string {
  const start = branchStart({ branch_prefix: prefix });
  return slug(branch.startsWith(start) ? branch.slice(start.length) : branch) || "work";
}

function slug(text: string): string {
  return text
    .slice(0, 2000)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxSlugLength)
    .replace(/^-+|-+$/g, "");
}

/** Some disks ignore case, and a branch cannot be the folder of another one. */
function firstFree(name: string, taken: Iterable<string>): string {
  const names = [...taken].map((one) => `${one.toLowerCase()}/`);
  const blocks = (candidate: string) =>
    names.some((one) => one.startsWith(`${candidate}/`) || `${candidate}/`.startsWith(one));
  // A branch with the prefix's own name blocks every suffix.
  for (let number = 1; number <= names.length + 1; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!blocks(candidate)) return candidate;
  }
  throw new RalphError("git", {
    message: `There is no free branch name for ${name}: another branch has the name of its folder.`,
    remedy: "Delete that branch, or set `autopilot.branch_prefix` to something else.",
  });
}

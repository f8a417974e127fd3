import { RalphError } from "../../error.ts";
import { branchNameProblem, branchStart } from "../../git/commits/branch-name.ts";

/** Room for the words of an item; with prefix and suffix it stays below the 100 of a task list. */
const maxSlugLength = 60;

export interface BranchRequest {
  /** The model's suggestion, whatever it wrote. */
  suggestion: string;
  /** The words of the item, where the suggestion has none. */
  item: string;
  /** `autopilot.branch_prefix`. */
  prefix: string;
  /** Branches that are there, here and on the remote, without `refs/heads/` or the remote's name. */
  taken: Iterable<string>;
}

/**
 * The branch of a run: prefix, then lower-case words joined by hyphens, and nothing else (compatibility 1.21, T10). One
 * leading word and slash of the suggestion gives way to the prefix. A taken name gets -2, -3, ...
 */
export function branchFor({ suggestion, item, prefix, taken }: BranchRequest): string {
  const start = branchStart({ branch_prefix: prefix });
  const name = suggestion.toLowerCase().trim();
  const bare = name.startsWith(start) ? name.slice(start.length) : name.replace(/^[\w.-]+\//, "");
  const words = slug(bare) || slug(item) || "work";
  return firstFree(`${start}${words}`, taken);
}

/** The branch somebody asks for by name. What git or a command line would misread is exit 1. */
export function namedBranch(name: string): string {
  const problem = branchNameProblem(name);
  if (problem === undefined) return name;
  throw new RalphError("config", {
    message: `${JSON.stringify(name)} cannot be the name of a branch: it ${problem}.`,
    remedy: "Name a branch such as ralph/add-login.",
  });
}

/** Words without the prefix, for the names of files and folders: `ralph/add-login` gives `add-login`. */
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

/** Case counts for nothing on some disks, and a branch cannot be the folder of another one. */
function firstFree(name: string, taken: Iterable<string>): string {
  const names = [...taken].map((one) => one.toLowerCase());
  const blocks = (candidate: string) =>
    names.some(
      (one) =>
        one === candidate || one.startsWith(`${candidate}/`) || candidate.startsWith(`${one}/`),
    );
  // A branch with the prefix's own name stands in the way of every suffix.
  for (let number = 1; number <= names.length + 1; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!blocks(candidate)) return candidate;
  }
  throw new RalphError("git", {
    message: `There is no free branch name for ${name}: a branch is in the way of its folder.`,
    remedy: "Delete that branch, or set `autopilot.branch_prefix` to something else.",
  });
}

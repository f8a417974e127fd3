import { RalphError } from "../../error.ts";
import type { GitAnswer } from "../../git/repository/run-git.ts";

/** git's own words; which of them speak of a missing right or a rule decides the way out. */
export function remoteFailed(url: string, { exitCode, stdout, stderr }: GitAnswer): RalphError {
  const words = [stderr, stdout.toString()]
    .join("\n")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(?:To |Done$|hint:|error: failed to push)/.test(line))
    .join("\n")
    .slice(0, 2000);
  return new RalphError("git", {
    message: `git could not work with ${url}: ${words || `exit code ${exitCode}`}`,
    remedy:
      remedies.find(([sign]) => sign.test(words))?.[1] ?? "Check the network, then publish again.",
  });
}

const remedies: readonly [sign: RegExp, remedy: string][] = [
  [
    /without `?workflows`? permission/i,
    "Remove the workflow files from the commits, or give a token of an App with `workflows: write`.",
  ],
  [
    /GH00\d|GH013|protected branch|rule violations|pre-receive hook declined/i,
    "Allow the token's owner to push to this branch in the rules of the repository, or choose another branch.",
  ],
  [
    /Authentication failed|could not read Username|error: 401/i,
    "The token is not accepted: set one that is valid and may write contents here (GITHUB_TOKEN, or `gh auth login`; in a job `contents: write` under `permissions:`).",
  ],
  [
    /not found/i,
    "See whether the repository is there under this name (`git remote -v`), and whether the token may write to it: `contents: write`.",
  ],
  [
    /error: 403|denied|not granted/i,
    "Give the job `contents: write` under `permissions:`, or the token that right on this repository.",
  ],
  [/redirect/i, "The repository has moved: run again with its new name."],
];

import { RalphError } from "../../error.ts";

/** A workflow that can be dispatched: its file's name, and a branch or tag. */
export interface DispatchTarget {
  workflow: string;
  ref: string;
}

/** Reads GITHUB_WORKFLOW_REF: `owner/repo/.github/workflows/x.yml@refs/heads/main`. */
export function parseWorkflowRef(text: string, repository: string): DispatchTarget {
  const match = /^([^/@]+\/[^/@]+)\/\.github\/workflows\/([\w.-]+\.ya?ml)@refs\/(\w+)\/(.+)$/.exec(
    text,
  );
  const [, owner, workflow, kind, ref] = match ?? [];
  const isSame = owner?.toLowerCase() === repository.toLowerCase();
  // A name the shell would read as more than a word has no place in a command people copy.
  const isPlain = ref !== undefined && /^[\w][\w./+-]*$/.test(ref);
  if (workflow && isPlain && isSame && (kind === "heads" || kind === "tags"))
    return { workflow, ref };
  throw new RalphError("checkpoint", {
    message: `The workflow ${JSON.stringify(text)} cannot be started again: only one on a branch or tag of ${repository} can.`,
    remedy: "Start it by hand with `resume-from` set to this run, from the Actions tab.",
  });
}

import { RalphError } from "../../error.ts";

/** A workflow to dispatch: its file name, and a branch or tag. */
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
  // People copy the command into a shell, so only plain names are accepted.
  const isPlain = ref !== undefined && /^[\w][\w./+-]*$/.test(ref);
  if (workflow && isPlain && isSame && (kind === "heads" || kind === "tags"))
    return { workflow, ref };
  throw new RalphError("checkpoint", {
    message: `The workflow ${JSON.stringify(text)} cannot be started again: it is not on a branch or tag of ${repository}.`,
    remedy: "Start it from the Actions tab with `resume-from` set to this run.",
  });
}

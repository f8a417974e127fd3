import { actionReference } from "../../../src/scaffold/write/published-addresses.ts";
import type { Step, WorkflowFile } from "./workflow-file.ts";
import type { Rule } from "./workflow-policy.ts";

type Steps = WorkflowFile["steps"];
const [ours = "", version = ""] = actionReference.split("@");

/** The rules of the policy that look at single steps. */
export const stepRules: Record<string, Rule> = {
  "other actions are pinned": ({ jobs, steps, commentOf }) =>
    [...jobs.map(({ job, path }) => ({ uses: job.uses, path })), ...usesOf(steps)]
      .map(({ uses, path }) => ({ uses, path: [...path, "uses"] }))
      .filter(({ uses, path }) => !isPinned(uses, commentOf(path)))
      .map(({ uses, path }) => ({
        path,
        message: `${uses} needs a full commit id and its version as a comment`,
      })),

  "no expression in a script": ({ steps }) =>
    steps
      .filter(({ step }) => /\$\{\{/.test(scriptOf(step)))
      .map(({ path }) => ({ path, message: "hand values over in env, and quote the variable" })),

  "checkout keeps no credential": ({ steps }) =>
    steps
      .filter(({ step }) => step.uses?.startsWith("actions/checkout@"))
      .filter(({ step }) => step.with?.["persist-credentials"] !== false)
      .map(({ path }) => ({ path, message: "needs persist-credentials: false" })),

  "no variables for later steps": ({ steps }) =>
    steps
      .filter(({ step }) => /GITHUB_(?:ENV|PATH)\b/.test(step.run ?? ""))
      .map(({ path }) => ({ path, message: "writes GITHUB_ENV or GITHUB_PATH; use outputs" })),

  "no commands that are switched off": ({ steps, content, jobs }) =>
    [content, ...jobs.map(({ job }) => job), ...steps.map(({ step }) => step)]
      .filter(({ env }) => /ACTIONS_ALLOW_UNSECURE/.test(Object.keys(env ?? {}).join(" ")))
      .map(() => ({ path: [], message: "switches insecure commands on" })),

  "node is the entry process": ({ isAction, steps }) =>
    isAction
      ? steps
          .filter(({ step }) => !endsInNode(step.run ?? ""))
          .map(({ path }) => ({
            path,
            message: "node must be started by `exec` in the last line, or no signal reaches it",
          }))
      : [],
};

const usesOf = (steps: Steps) => steps.map(({ step, path }) => ({ uses: step.uses, path }));

/** Local files are of one commit with the workflow; our own name stands for the release of this text. */
function isPinned(uses: string | undefined, comment: string): boolean {
  if (uses === undefined || uses.startsWith("./")) return true;
  const [name = "", ref = ""] = uses.split("@");
  if ((name === ours || name.startsWith(`${ours}/`)) && ref === version) return true;
  if (uses.startsWith("docker://")) return /^sha256:[0-9a-f]{64}$/.test(ref);
  return /^[0-9a-f]{40}$/.test(ref) && /^v\d+(?:\.\d+)*$/.test(comment);
}

/** Text that is executed. */
function scriptOf({ uses, run, with: given }: Step): string {
  return uses?.startsWith("actions/github-script@") ? String(given?.script) : (run ?? "");
}

const nodeCommand =
  /(?:^|[;&|(]|\b(?:then|do|else|exec)\s|\benv\s.*?\s)\s*(?:\w+=\S+\s+)*"?(?:node|\$\w*NODE|\$\{\w*NODE\}|\$node)"?\s+(?!-[pev]|--version)/;

/** True as well for a script that does not start node, or only in a subshell that comes before. */
function endsInNode(run: string): boolean {
  const lines = run
    .replaceAll(/\\\n/g, " ")
    .trimEnd()
    .split("\n")
    .map((line) => line.replaceAll(/\([^()]*\)/g, ""));
  const starts = lines.filter((line) => !/^\s*#/.test(line) && nodeCommand.test(line));
  return starts.every((line) => line === lines.at(-1) && /^\s*exec /.test(line));
}

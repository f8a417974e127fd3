import { actionReference } from "../../../src/scaffold/write/published-addresses.ts";
import { stepRules } from "./step-policy.ts";
import type { Step, WorkflowFile } from "./workflow-file.ts";

export interface Breach {
  path: readonly (string | number)[];
  message: string;
}

/** Every place where a workflow or an action breaks one rule. */
export type Rule = (file: WorkflowFile) => Breach[];

/** What every workflow and action we ship, print or show must keep to, by name. */
export const policy: Record<string, Rule> = {
  ...stepRules,

  "no rights at the top": ({ content, isAction }) => {
    const { permissions } = content;
    const isFine = typeof permissions === "object" && !grants(permissions, /write/);
    return isAction || isFine
      ? []
      : [
          {
            path: ["permissions"],
            message: "must be {} or read-only; jobs ask for what they need",
          },
        ];
  },

  "no rights by the dozen": ({ jobs }) =>
    jobs
      .filter(({ job }) => typeof job.permissions === "string")
      .map(({ path }) => ({ path: [...path, "permissions"], message: "must name each right" })),

  "every job ends": ({ jobs }) =>
    jobs
      .filter(({ job }) => job.uses === undefined && job["timeout-minutes"] === undefined)
      .map(({ id, path }) => ({ path, message: `job ${id} has no timeout-minutes` })),

  "secrets are named": ({ jobs }) =>
    jobs
      .filter(({ job }) => job.secrets === "inherit")
      .map(({ path }) => ({
        path: [...path, "secrets"],
        message: "must name what is handed over",
      })),

  "scheduled runs do not overlap": ({ content, events, jobs }) =>
    !events.includes("schedule") ||
    content.concurrency !== undefined ||
    jobs.every(({ job }) => job.concurrency !== undefined)
      ? []
      : [{ path: ["on", "schedule"], message: "needs concurrency" }],

  "no foreign code with our rights": ({ events, steps }) =>
    events.some((event) => event === "pull_request_target" || event === "workflow_run")
      ? steps
          .filter(({ step }) => takesForeignCode(step.run) || takesForeignCode(step.with?.ref))
          .map(({ path }) => ({
            path,
            message: "takes the pull request's code into a trusted run",
          }))
      : [],

  "nobody is trusted by name": ({ jobs, steps }) =>
    [...jobs.map(({ job, path }) => ({ entry: job, path })), ...stepEntries(steps)]
      .filter(({ entry }) => /github\.(?:triggering_)?actor\b|\.login\b/.test(String(entry.if)))
      .map(({ path }) => ({
        path: [...path, "if"],
        message: "ask GitHub for rights, not for names",
      })),

  "no identity beside an agent": ({ jobs }) =>
    jobs
      .filter(({ job }) => runsAgent(job) && grants(job.permissions, /write/, "id-token"))
      .map(({ path }) => ({ path: [...path, "permissions"], message: "id-token beside an agent" })),

  "no cache where it would be trusted": ({ isAction, steps }) =>
    steps
      .filter(({ job }) => isAction || runsAgent(job) || grants(job.permissions, /write/))
      .filter(({ step }) => usesCache(step))
      .map(({ path }) => ({ path, message: "restores a cache others may have written" })),
};

/** setup-node also caches by itself when package.json names npm as its package manager. */
const usesCache = ({ uses = "", with: given }: Step) =>
  /^actions\/cache\b/.test(uses) ||
  Boolean(given?.cache) ||
  (uses.startsWith("actions/setup-node@") && given?.["package-manager-cache"] !== false);

const stepEntries = (steps: WorkflowFile["steps"]) =>
  steps.map(({ step, path }) => ({ entry: step, path }));

/** Whether a level of `permissions` matches; only that of `scope`, when one is named. */
function grants(permissions: unknown, level: RegExp, scope?: string): boolean {
  if (typeof permissions === "string") return level.test(permissions);
  return Object.entries(permissions ?? {}).some(
    ([name, value]) => (scope === undefined || name === scope) && level.test(String(value)),
  );
}

function takesForeignCode(text: unknown): boolean {
  return /head[._](?:sha|ref)|head\.repo|refs\/pull|gh pr checkout|head_branch/.test(String(text));
}

const [ours = ""] = actionReference.split("@");

/** Jobs that call our action, of this repository or by its name. */
function runsAgent(job: { steps?: { uses?: string }[]; uses?: string }): boolean {
  const uses = [job.uses, ...(job.steps ?? []).map((step) => step.uses)];
  return uses.some((name) => name === "./" || name?.startsWith(ours));
}

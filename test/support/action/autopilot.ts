import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goodAgent, goodAnswer, reportPath, reportText, say } from "../autopilot/project.ts";
import { anthropic } from "../model-server/anthropic.ts";
import type { Turn } from "../model-server/script.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import type { ProjectOptions } from "../project/project.ts";
import type { JobResult, WorkflowResult } from "../runner/model.ts";
import type { RunningWorkflow } from "../runner/run-workflow.ts";
import { type ActionProject, createActionProject, type Started } from "./project.ts";

/** A repository on GitHub with a report, and a model behind the API of a provider. */
export interface AutopilotAction extends ActionProject {
  model: ModelServer;
  /** Runs a workflow with the model's key, and a `sudo` that installs nothing. */
  go: (workflow: string, options?: Started) => Promise<WorkflowResult & AsyncDisposable>;
  /** The same, to be cancelled on its way. */
  begin: (workflow: string, options?: Started) => Promise<RunningWorkflow>;
  /** What the ref of a work item says: who has it, and whether it is free. */
  claim: (item: string) => { holder: string; state: string };
}

type Options = ProjectOptions & { turns?: readonly Turn[]; autopilot?: object };

export async function createAutopilotAction(options: Options = {}): Promise<AutopilotAction> {
  const model = await startModelServer(anthropic, { other: options.turns ?? [say(goodAnswer)] });
  const github = await createActionProject({
    agent: goodAgent,
    mayActionsOpenPulls: true,
    ...options,
    files: { [reportPath]: reportText, ...options.files },
    config: {
      autopilot: { enabled: true, tasks: { min_count: 2, max_count: 2 }, ...options.autopilot },
      ...options.config,
    },
  });
  const { project } = github;
  const sudo = join(project.folder, "bin/sudo");
  writeFileSync(sudo, "#!/bin/sh\n");
  chmodSync(sudo, 0o755);
  const env = { PATH: `${project.folder}/bin:${process.env.PATH}`, ANTHROPIC_BASE_URL: model.url };
  const withKey = (given: Started = {}): Started => ({
    secrets: { ANTHROPIC_API_KEY: "sk-ant-canary" },
    ...given,
    env: { ...env, ...given.env },
  });
  return {
    ...github,
    model,
    go: (workflow, given) => github.run(workflow, withKey(given)),
    begin: (workflow, given) => github.start(workflow, withKey(given)),
    claim: (item) => {
      const text = github.remoteGit("log", "-1", "--format=%B", `refs/ralph/claims/${item}`);
      return JSON.parse(text.split("\n").at(-1) ?? "");
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await github[Symbol.asyncDispose]();
    },
  };
}

/** What a user writes to call the reusable workflow; `given` are its further inputs. */
export function autopilotCaller(given: Record<string, string> = {}): string {
  const lines = Object.entries(given).map(([name, value]) => `      ${name}: ${value}\n`);
  return `
on: { workflow_dispatch: { inputs: { resume-from: { default: "" }, orders: { default: "" } } } }
permissions: {}
jobs:
  ralph:
    permissions: { contents: write, issues: read, pull-requests: write, checks: write, actions: write }
    uses: org/ralph-action/.github/workflows/autopilot.yml@v1
    with:
      resume-from: "\${{ inputs.resume-from }}"
      orders: "\${{ inputs.orders }}"
${lines.join("")}    secrets: { anthropic-api-key: "\${{ secrets.ANTHROPIC_API_KEY }}" }
`;
}

/** The jobs of the called workflow that ran, by their titles. */
export const calledJobs = ({ jobs }: WorkflowResult): Map<string, JobResult> =>
  new Map(jobs.map((job) => [job.name.replace("ralph / ", ""), job]));

/** The same for one of them. */
export const saidBy = (result: WorkflowResult, name: string): string => {
  const job = calledJobs(result).get(name);
  return job ? saidIn(job) : `The job ${name} did not run.`;
};

/** What our own programs have said in a job, without what the runner shows of each step. */
export function saidIn({ log }: JobResult): string {
  let isInside = false;
  const said = log.filter((line) => {
    if (line.startsWith("##[group]Run ")) isInside = true;
    const isShown = !isInside;
    if (line === "##[endgroup]") isInside = false;
    return isShown;
  });
  return said.join("\n");
}

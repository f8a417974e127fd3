import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parse, stringify } from "yaml";
import type { ActionProject } from "../../../test/support/action/project.ts";
import type { RunningWorkflow } from "../../../test/support/runner/run-workflow.ts";

/** Milliseconds up to the first agent call, from two beginnings, and of the whole job. */
export type JobTimes = { callMs: number; firstStepMs: number; jobMs: number };

export type TimedJob = {
  workflow: string;
  /** The file the agent makes at its first call. */
  started: string;
  env?: Record<string, string>;
  /** The job is cancelled at the first call. */
  endsAtCall?: true;
};

type Step = { id?: string; run?: string };
const action = new URL("../../../action.yml", import.meta.url).pathname;
const bareScript = 'exec "$AGENT" <<<"work"';

/** A job with a checkout and one step that calls the agent. */
export function bareWorkflow(agent: string): string {
  const checkout = { uses: "actions/checkout@v6", with: { "persist-credentials": false } };
  const env = { AGENT: agent, RALPH_ROLE: "implementation", RALPH_TASK_ID: "T-001" };
  const steps = [checkout, { shell: "bash", env, run: bareScript }];
  const job = { "runs-on": "ubuntu-24.04", "timeout-minutes": 5, steps };
  return stringify({ on: "workflow_dispatch", permissions: {}, jobs: { bare: job } });
}

/** Runs a job and looks at when its steps and its agent began. */
export async function timeJob(github: ActionProject, job: TimedJob): Promise<JobTimes> {
  const seen = new Map<string, number>();
  const onLine = (line: string) => {
    if (line.startsWith("##[group]Run ") && !seen.has(line)) seen.set(line, Date.now());
  };
  rmSync(job.started, { force: true });
  const startedAt = Date.now();
  const env = job.env ?? {};
  await using running = await github.start(job.workflow, { onLine, env });
  if (job.endsAtCall) await waitFor(job.started, running);
  else await requireGreen(running);
  const jobMs = Date.now() - startedAt;
  const callAt = statSync(job.started).mtimeMs;
  const since = (script: string) => callAt - (seen.get(headerOf(script)) ?? Number.NaN);
  if (job.workflow.includes(bareScript)) {
    return { callMs: since(bareScript), firstStepMs: since(bareScript), jobMs };
  }
  const [first, run] = actionScripts();
  return { callMs: since(run), firstStepMs: since(first), jobMs };
}

/** The scripts of the action's first step and of the step that works. */
function actionScripts(): [first: string, run: string] {
  const steps: Step[] = parse(readFileSync(action, "utf8")).runs.steps;
  const [first] = steps;
  const run = steps.find(({ id }) => id === "run");
  if (!first?.run || !run?.run) throw new Error("action.yml has no step with the id run.");
  return [first.run, run.run];
}

const headerOf = (script: string) => `##[group]Run ${script.trim().split("\n")[0]}`;

async function requireGreen(running: RunningWorkflow): Promise<void> {
  const { conclusion } = await running.result;
  if (conclusion !== "success") throw new Error(`The job failed:\n${running.lines.join("\n")}`);
}

async function waitFor(path: string, running: RunningWorkflow): Promise<void> {
  let isOver = false;
  running.result.finally(() => {
    isOver = true;
  });
  while (!existsSync(path)) {
    if (isOver) throw new Error(`No agent was called:\n${running.lines.join("\n")}`);
    await sleep(10);
  }
}

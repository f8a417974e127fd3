import * as z from "zod";
import type { GitHub } from "../../src/github/api/create-github.ts";
import { listAll } from "../../src/github/api/list-pages.ts";
import { Account } from "../../src/github/api/viewer.ts";
import { plainLine } from "../../src/text/plain-text.ts";

const Facts = z.object({
  id: z.int(),
  run_attempt: z.int(),
  path: z.string(),
  event: z.string(),
  head_branch: z.string().nullable(),
  display_title: z.string().default(""),
  status: z.string(),
  conclusion: z.string().nullish(),
  html_url: z.string(),
  actor: Account,
  triggering_actor: Account,
});

/** A workflow run as GitHub reports it now. */
export type WorkflowFacts = z.output<typeof Facts>;

/** Reads a workflow run; its event is not trusted (T28, F43). */
export async function readWorkflow(github: GitHub, run: number): Promise<WorkflowFacts> {
  const { data } = await github.ask({
    route: "GET /repos/{owner}/{repo}/actions/runs/{run_id}",
    parameters: { run_id: run },
    purpose: { act: `read workflow run ${run}`, permission: "actions: read", reason: "claim" },
  });
  return Facts.parse(data);
}

/** Runs of a workflow that were dispatched since a time, newest first. */
export async function listWorkflows(
  github: GitHub,
  { workflow, since }: { workflow: string; since: number },
): Promise<WorkflowFacts[]> {
  const created = `>=${new Date(since).toISOString()}`;
  const { data } = await github.ask({
    route: "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs",
    parameters: { workflow_id: workflow, event: "workflow_dispatch", created, per_page: 100 },
    purpose: { act: `list the runs of ${workflow}`, permission: "actions: read", reason: "claim" },
  });
  return Listed.parse(data).workflow_runs;
}

const Listed = z.object({ workflow_runs: z.array(Facts) });

export interface ExpectedWorkflow {
  /** `.github/workflows/ralph.yml`. */
  path: string;
  branch: string;
  /** This App's account. */
  login: string;
}

const titleForm = /\bralph-run:([0-9a-f]{8}-[0-9a-f-]{27})\b/;

/**
 * The App's run behind a workflow run: the App started it, from the default branch's file. Any other workflow run
 * publishes its result itself.
 */
export function runIdOf(
  facts: WorkflowFacts,
  { path, branch, login }: ExpectedWorkflow,
): string | undefined {
  const isOurs =
    facts.event === "workflow_dispatch" &&
    facts.path.split("@", 1)[0] === path &&
    facts.head_branch === branch &&
    facts.actor?.login === login;
  return isOurs ? runIdInTitle(facts) : undefined;
}

/** The run that a workflow run's title names; anyone could have written it. */
export const runIdInTitle = ({ display_title: title }: WorkflowFacts): string | undefined =>
  titleForm.exec(title)?.[1];

const Job = z.object({ name: z.string(), conclusion: z.string().nullish() });
const Jobs = z.object({ jobs: z.array(Job) }).transform(({ jobs }) => jobs);

/** The name of the clean room's job in ralph's workflows. */
const roomName = "Prove again";

/** The results of one attempt's jobs; `cleanRoom` is undefined if it was skipped or absent. */
export interface JobFacts {
  cleanRoom: "proved" | "refuted" | undefined;
  /** Names of the failed jobs. */
  failed: readonly string[];
}

/** Reads the jobs of exactly this attempt: the job is the proof, not the bundle. */
export async function readJobs(
  github: GitHub,
  { run, attempt }: { run: number; attempt: number },
): Promise<JobFacts> {
  const request = {
    route: "GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs",
    parameters: { run_id: run, attempt_number: attempt },
    purpose: { act: `list the jobs of run ${run}`, permission: "actions: read", reason: "claim" },
  } as const;
  return judgeJobs(await listAll(github, request, Jobs));
}

/** Pure. A job of a called workflow is named `caller / job`. */
export function judgeJobs(jobs: readonly z.output<typeof Job>[]): JobFacts {
  const rooms = jobs.filter(({ name }) => name === roomName || name.endsWith(` / ${roomName}`));
  const entered = rooms.filter(({ conclusion }) => conclusion !== "skipped");
  const isProved = entered.every(({ conclusion }) => conclusion === "success");
  const failed = jobs.filter(({ conclusion }) => conclusion === "failure");
  return {
    cleanRoom: entered.length === 0 ? undefined : isProved ? "proved" : "refuted",
    failed: failed.map(({ name }) => plainLine(name, 100).replaceAll("`", "'")),
  };
}

import type { GitHub } from "../../src/github/api/create-github.ts";
import type { Account } from "../../src/github/api/viewer.ts";
import { plainLine } from "../../src/text/plain-text.ts";

/** A workflow run as GitHub reports it now. */
export interface WorkflowFacts {
  id: number;
  run_attempt: number;
  path: string;
  event: string;
  head_branch: string | null;
  display_title: string;
  status: string | null;
  conclusion: string | null;
  html_url: string;
  actor?: Account;
}

type Answer = Omit<WorkflowFacts, "run_attempt"> & { run_attempt?: number };

/** GitHub may leave out the attempt of a run that nobody has started again. */
const factsOf = (run: Answer): WorkflowFacts => ({ ...run, run_attempt: run.run_attempt ?? 1 });

/** Reads a workflow run; its event is not trusted (T28, F43). */
export async function readWorkflow(github: GitHub, run: number): Promise<WorkflowFacts> {
  const { data } = await github.ask(purposeOf(`read workflow run ${run}`), ({ rest }) =>
    rest.actions.getWorkflowRun({ ...github.repo, run_id: run }),
  );
  return factsOf(data);
}

/** Runs of a workflow that were dispatched since a time, newest first. */
export async function listWorkflows(
  github: GitHub,
  { workflow, since }: { workflow: string; since: number },
): Promise<WorkflowFacts[]> {
  const created = `>=${new Date(since).toISOString()}`;
  const newest = { ...github.repo, event: "workflow_dispatch", created, per_page: 100 };
  const { data } = await github.ask(purposeOf(`list the runs of ${workflow}`), ({ rest }) =>
    rest.actions.listWorkflowRuns({ ...newest, workflow_id: workflow }),
  );
  return data.workflow_runs.map(factsOf);
}

const purposeOf = (act: string) => ({ act, permission: "actions: read", reason: "claim" }) as const;

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
  const all = { ...github.repo, run_id: run, attempt_number: attempt, per_page: 100 };
  const jobs = await github.ask(purposeOf(`list the jobs of run ${run}`), ({ paginate, rest }) =>
    paginate(rest.actions.listJobsForWorkflowRunAttempt, all),
  );
  return judgeJobs(jobs);
}

/** Pure. A job of a called workflow is named `caller / job`. */
export function judgeJobs(jobs: readonly { name: string; conclusion: string | null }[]): JobFacts {
  const rooms = jobs.filter(({ name }) => name === roomName || name.endsWith(` / ${roomName}`));
  const entered = rooms.filter(({ conclusion }) => conclusion !== "skipped");
  const isProved = entered.every(({ conclusion }) => conclusion === "success");
  const failed = jobs.filter(({ conclusion }) => conclusion === "failure");
  return {
    cleanRoom: entered.length === 0 ? undefined : isProved ? "proved" : "refuted",
    failed: failed.map(({ name }) => plainLine(name, 100).replaceAll("`", "'")),
  };
}

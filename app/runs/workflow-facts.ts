import * as z from "zod";
import type { GitHub } from "../../src/github/create-github.ts";
import { Account } from "../../src/github/viewer.ts";

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

/** A workflow run, as GitHub tells it now. */
export type WorkflowFacts = z.output<typeof Facts>;

/** Reads a workflow run again: what an event says of it is not believed (T28, F43). */
export async function readWorkflow(github: GitHub, run: number): Promise<WorkflowFacts> {
  const { data } = await github.ask({
    route: "GET /repos/{owner}/{repo}/actions/runs/{run_id}",
    parameters: { run_id: run },
    purpose: { act: `read workflow run ${run}`, permission: "actions: read", reason: "claim" },
  });
  return Facts.parse(data);
}

export interface Expected {
  /** `.github/workflows/ralph.yml`. */
  path: string;
  branch: string;
  /** This App's account. */
  login: string;
}

const titleForm = /\bralph-run:([0-9a-f]{8}-[0-9a-f-]{27})\b/;

/**
 * The id of the run of ours a workflow run belongs to: started by this App, from the default branch's own file. Whoever
 * started it otherwise has it published by its own job.
 */
export function runIdOf(
  facts: WorkflowFacts,
  { path, branch, login }: Expected,
): string | undefined {
  const isOurs =
    facts.event === "workflow_dispatch" &&
    facts.path.split("@", 1)[0] === path &&
    facts.head_branch === branch &&
    facts.actor?.login === login;
  return isOurs ? titleForm.exec(facts.display_title)?.[1] : undefined;
}

const Jobs = z.object({
  jobs: z.array(z.object({ name: z.string(), conclusion: z.string().nullish() })),
});

/** Whether the clean room of exactly this attempt was green: the proof is the job, not what a bundle says of it. */
export async function isProvedElsewhere(
  github: GitHub,
  { run, attempt, job }: { run: number; attempt: number; job: string },
): Promise<boolean> {
  const { data } = await github.ask({
    route: "GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs",
    parameters: { run_id: run, attempt_number: attempt, per_page: 100 },
    purpose: { act: `list the jobs of run ${run}`, permission: "actions: read", reason: "claim" },
  });
  // A job of a called workflow is named `caller / job`.
  const rooms = Jobs.parse(data).jobs.filter(
    ({ name }) => name === job || name.endsWith(` / ${job}`),
  );
  return rooms.length > 0 && rooms.every(({ conclusion }) => conclusion === "success");
}

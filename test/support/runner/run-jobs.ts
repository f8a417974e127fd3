import { evaluate, isTrue, type Setting } from "./expression.ts";
import { type Finished, merge } from "./finished.ts";
import { combinationsOf, combinedName } from "./matrix.ts";
import type { Conclusion, Host, Json, Permissions } from "./model.ts";
import { permissionsOf, refuseMore, standardPermissions } from "./permissions.ts";
import { runCalled } from "./run-called.ts";
import { runJob } from "./run-job.ts";
import {
  conditionOf,
  type Fields,
  fieldsOf,
  itemsOf,
  literalOf,
  plainOf,
  textOf,
} from "./tokens.ts";

export interface RunSetting {
  host: Host;
  github: Record<string, Json>;
  /** `vars`, `secrets` and `inputs`. */
  contexts: Record<string, Json>;
  /** What a caller has; nothing at the top. */
  allowed: Permissions | undefined;
  /** Names of the callers, for the names of jobs. */
  prefix: string;
  signal: AbortSignal;
}

/** With the results of everything an entry waited for, and its own. */
interface Chained extends Finished {
  chain: Conclusion[];
}

/** Runs the jobs of a workflow, each as soon as those it needs have ended. */
export async function runJobs(
  workflow: Fields,
  setting: RunSetting,
): Promise<Record<string, Finished>> {
  const jobs = fieldsOf(workflow.jobs);
  const started = new Map<string, Promise<Chained>>();
  const start = (id: string): Promise<Chained> => {
    const running = started.get(id) ?? runEntry(id);
    started.set(id, running);
    return running;
  };
  const runEntry = async (id: string): Promise<Chained> => {
    const job = fieldsOf(jobs[id]);
    const names = needsOf(job);
    const needs = await Promise.all(names.map(start));
    const chain = needs.flatMap((need) => need.chain);
    const table = names.map((name, index) => [name, contextOf(needs[index])]);
    const contexts = { ...setting.contexts, needs: Object.fromEntries(table) };
    const local = { ...setting, contexts, id, job, workflow };
    const finished = await runWhenWanted(local, statusOf(chain, setting.signal));
    return { ...finished, chain: [...chain, finished.result] };
  };
  for (const id of Object.keys(jobs))
    permissionsFor({ ...setting, workflow, job: fieldsOf(jobs[id]), id });
  const entries = Object.keys(jobs).map(async (id) => [id, await start(id)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

export interface EntrySetting extends RunSetting {
  workflow: Fields;
  job: Fields;
  id: string;
}

async function runWhenWanted(entry: EntrySetting, status: Setting["status"]) {
  const { job, github, contexts, signal } = entry;
  const setting = { contexts: { ...contexts, github }, status, workspace: entry.host.repository };
  if (!isTrue(conditionOf(job.if), setting)) {
    const result: Conclusion = signal.aborted ? "cancelled" : "skipped";
    return { result, outputs: {}, jobs: [] };
  }
  const strategy = fieldsOf(job.strategy);
  const combinations = combinationsOf(plainOf(strategy.matrix, (text) => evaluate(text, setting)));
  const failFast = new AbortController();
  const all = combinations.map(async (matrix) => {
    const local = { ...entry, contexts: { ...contexts, matrix } };
    const [one, stop] = [await runOne(local, matrix, failFast.signal), job.strategy !== undefined];
    const isFatal = one.result === "failure" && stop && literalOf(strategy["fail-fast"]) !== false;
    if (isFatal) failFast.abort();
    return one;
  });
  return merge(await Promise.all(all));
}

async function runOne(entry: EntrySetting, matrix: Record<string, Json>, failFast: AbortSignal) {
  const { job, id, prefix } = entry;
  const permissions = permissionsFor(entry);
  const name = prefix + combinedName(textOf(literalOf(job.name)) || id, matrix);
  // What the run is told after the condition was found true still cancels; what it was told before does not.
  const signals = entry.signal.aborted ? [failFast] : [entry.signal, failFast];
  const signal = AbortSignal.any(signals);
  if (job.uses !== undefined) return runCalled({ ...entry, signal, name, permissions }, runJobs);
  const result = await runJob({ ...entry, name, permissions, signal });
  const isForgiven = literalOf(job["continue-on-error"]) === true;
  const counted = isForgiven && result.conclusion === "failure" ? "success" : result.conclusion;
  return { result: counted, outputs: result.outputs, jobs: [result] };
}

function permissionsFor({ workflow, job, id, allowed }: EntrySetting): Permissions {
  const asked =
    permissionsOf(literalOf(job.permissions)) ?? permissionsOf(literalOf(workflow.permissions));
  if (allowed !== undefined && asked !== undefined) refuseMore(id, asked, allowed);
  return asked ?? allowed ?? standardPermissions;
}

/** Not only the jobs it needs count, but all they needed in turn. */
function statusOf(chain: readonly Conclusion[], signal: AbortSignal): Setting["status"] {
  if (signal.aborted) return "cancelled";
  if (chain.includes("failure")) return "failure";
  return chain.every((result) => result === "success") ? "success" : "skipped";
}

function needsOf(job: Fields): string[] {
  const one = literalOf(job.needs);
  return typeof one === "string"
    ? [one]
    : itemsOf(job.needs).map((item) => textOf(literalOf(item)));
}

const contextOf = (finished: Finished | undefined) => ({
  result: finished?.result ?? "skipped",
  outputs: finished?.outputs ?? {},
});

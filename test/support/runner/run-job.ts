import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPlace, runnerContext } from "./contexts.ts";
import { evaluate, type Setting } from "./expression.ts";
import { createJobLog, type JobLog } from "./job-log.ts";
import type { Conclusion, Host, JobResult, Json, Permissions, StepResult, Texts } from "./model.ts";
import { killOrphans } from "./orphans.ts";
import { runSteps } from "./run-steps.ts";
import { type JobState, layeredEnv, runDefaults, type Scope, settingOf, textsIn } from "./scope.ts";
import { type Fields, fieldsOf, itemsOf, plainOf, textOf } from "./tokens.ts";

export interface JobCall {
  workflow: Fields;
  job: Fields;
  id: string;
  name: string;
  host: Host;
  github: Record<string, Json>;
  contexts: Record<string, Json>;
  permissions: Permissions;
  /** Aborted when this job is cancelled. */
  signal: AbortSignal;
}

/** Runs the steps of one job on a machine of its own: fresh folders, nothing inherited but `PATH`. */
export async function runJob(call: JobCall): Promise<JobResult> {
  const scope = beginJob(call);
  const { log, place, trackingId, summary } = scope.job;
  using clock = limitTime(call, scope);
  const signal = AbortSignal.any([call.signal, clock.signal]);
  const inner: Scope = { ...scope, job: { ...scope.job, signal } };
  const steps = await runSteps(inner, itemsOf(call.job.steps).map(fieldsOf));
  if (clock.signal.aborted) {
    const message = `The job has exceeded the maximum execution time of ${clock.signal.reason} minutes.`;
    log.annotate({ level: "error", message, properties: {} });
  }
  const orphans = killOrphans(trackingId);
  for (const orphan of orphans) log.write(`Terminate orphan process: ${orphan}`);
  const outputs = textsIn(settingOf(inner), call.job.outputs);
  return {
    name: call.name,
    conclusion: concludeJob(steps, signal),
    outputs: withoutSecrets(outputs, log),
    permissions: call.permissions,
    ...chosenPlace(call, scope),
    steps,
    annotations: log.annotations,
    log: log.lines,
    rawLog: log.rawLines,
    summary: summary.join(""),
    orphans,
    workspace: place.workspace,
    temp: place.temp,
  };
}

function beginJob({ workflow, job, id, name, host, ...call }: JobCall): Scope {
  const folder = join(host.folder, name.replaceAll(/[^\w.-]+/g, "-"));
  const place = createPlace(folder, String(call.github.repository));
  const event = join(place.temp, "event.json");
  writeFileSync(event, JSON.stringify(call.github.event ?? {}));
  const token = host.issueToken?.(call.permissions) ?? call.github.token ?? "";
  const own = { job: id, workspace: place.workspace, event_path: event, token };
  const github: Record<string, Json> = { ...call.github, ...own };
  const secrets = { ...fieldsIn(call.contexts.secrets), GITHUB_TOKEN: token };
  const contexts: Record<string, Json> = {
    ...call.contexts,
    ...{ secrets, runner: runnerContext(place) },
  };
  const setting: Setting = {
    contexts: { ...contexts, github },
    status: "success",
    workspace: place.workspace,
  };
  const log = createJobLog((line) => host.onLine(line, name));
  for (const secret of [String(token), ...Object.values(secrets)]) {
    log.addMask(String(secret));
  }
  const defaults = [workflow.defaults, job.defaults];
  const state: JobState = {
    host,
    place,
    log,
    contexts,
    signal: call.signal,
    trackingId: `github_${randomUUID()}`,
    permissions: call.permissions,
    isDebug: [host.secrets, host.vars].some((table) => table.ACTIONS_STEP_DEBUG === "true"),
    defaults: runDefaults(setting, defaults),
    env: layeredEnv(setting, [workflow.env, job.env]),
    path: [],
    summary: [],
  };
  const empty = { env: {}, steps: {}, isEmbedded: false, limit: undefined } as const;
  return { ...empty, steps: {}, job: state, contexts, github, status: "success" };
}

/** Every machine is this one, but a job says which it wants. */
function chosenPlace({ job }: JobCall, scope: Scope) {
  const value = (name: string) => plainOf(job[name], (text) => evaluate(text, settingOf(scope)));
  return { runsOn: value("runs-on") ?? "", environment: value("environment") ?? "" };
}

const fieldsIn = (value: Json | undefined) =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

/** Cancels the job after `timeout-minutes`, which every job has. */
function limitTime({ job, host }: JobCall, scope: Scope): { signal: AbortSignal } & Disposable {
  const value = plainOf(job["timeout-minutes"], (text) => evaluate(text, settingOf(scope)));
  const minutes = Number(textOf(value) || 360);
  const controller = new AbortController();
  const wait = Math.min(minutes * host.patience.minuteMs, 2 ** 31 - 1);
  const timer = setTimeout(() => controller.abort(minutes), wait).unref();
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}

function concludeJob(steps: StepResult[], signal: AbortSignal): Conclusion {
  if (signal.aborted) return "cancelled";
  return steps.some(({ conclusion }) => conclusion === "failure") ? "failure" : "success";
}

/** An output in which a secret stands never leaves its job. */
function withoutSecrets(outputs: Texts, log: JobLog): Texts {
  const safe = Object.entries(outputs).filter(([name, value]) => {
    const isSafe = log.mask(value) === value;
    const message = `Skip output '${name}' since it may contain secret.`;
    if (!isSafe) log.annotate({ level: "warning", message, properties: {} });
    return isSafe && value !== "";
  });
  return Object.fromEntries(safe);
}

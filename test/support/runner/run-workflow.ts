import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { createTestFolder } from "../project/system.ts";
import { githubContext } from "./contexts.ts";
import { merge } from "./finished.ts";
import { readWorkflow } from "./github-parser.ts";
import type { Host, JobResult, RunnerOptions, Texts, WorkflowResult } from "./model.ts";
import { runJobs } from "./run-jobs.ts";
import { standIns } from "./stand-ins/stand-ins.ts";
import { type Fields, fieldsOf, literalOf } from "./tokens.ts";

export interface RunningWorkflow extends AsyncDisposable {
  /** Rejected when GitHub would refuse to start it. */
  readonly result: Promise<WorkflowResult>;
  /** Cancels all jobs, as the button on GitHub's page does. */
  cancel(): void;
  /** Everything the jobs have logged so far, masked. */
  readonly lines: readonly string[];
}

const patience = { interruptMs: 7500, terminateMs: 2500, drainMs: 5000, minuteMs: 60_000 };

/** Starts a workflow: its text, or the path of its file. Disposing of it removes all folders of the run. */
export async function startWorkflow(
  source: string,
  options: RunnerOptions,
): Promise<RunningWorkflow> {
  const folder = await createTestFolder();
  const controller = new AbortController();
  const lines: string[] = [];
  const host = createHost(options, folder.path, (line, job) => {
    lines.push(line);
    options.onLine?.(line, job);
  });
  const result = run(source, { options, host, signal: controller.signal });
  return {
    result,
    lines,
    cancel: () => controller.abort("cancelled"),
    async [Symbol.asyncDispose]() {
      controller.abort("cancelled");
      await result.catch(() => undefined);
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Runs a workflow to its end. */
export async function runWorkflow(
  source: string,
  options: RunnerOptions,
): Promise<WorkflowResult & AsyncDisposable> {
  const running = await startWorkflow(source, options);
  return { ...(await running.result), [Symbol.asyncDispose]: running[Symbol.asyncDispose] };
}

/** Runs one composite action in a job of its own, after a checkout; answers that job. */
export async function runAction(
  folder: string,
  { with: given, ...options }: RunnerOptions & { with?: Texts },
): Promise<JobResult & AsyncDisposable> {
  const steps = [
    { uses: "actions/checkout@v6" },
    { id: "action", uses: "test/action@v1", with: given },
  ];
  const text = stringify({
    on: "workflow_dispatch",
    jobs: { action: { "runs-on": "ubuntu-latest", steps } },
  });
  const uses = { ...options.uses, "test/action": folder };
  const workflow = await runWorkflow(text, { ...options, uses });
  const [job] = workflow.jobs;
  if (job === undefined) throw new Error("The job did not run.");
  return { ...job, [Symbol.asyncDispose]: workflow[Symbol.asyncDispose] };
}

function createHost(options: RunnerOptions, folder: string, onLine: Host["onLine"]): Host {
  const artifacts = join(folder, "artifacts");
  mkdirSync(artifacts);
  return {
    repository: options.repository,
    github: githubContext(options.repository, options.github ?? {}),
    issueToken: options.issueToken,
    secrets: options.secrets ?? {},
    vars: options.vars ?? {},
    env: options.env ?? {},
    uses: { ...standIns, ...options.uses },
    patience: { ...patience, ...options.patience },
    onLine,
    folder,
    artifacts,
  };
}

async function run(
  source: string,
  { options, host, signal }: { options: RunnerOptions; host: Host; signal: AbortSignal },
): Promise<WorkflowResult> {
  const isText = source.includes("\n");
  const name = isText ? ".github/workflows/test.yml" : source;
  const content = isText ? source : readFileSync(source, "utf8");
  const workflow = await readWorkflow({ name, content });
  const title = literalOf(workflow.name) ?? name;
  const contexts = {
    vars: host.vars,
    secrets: { ...host.secrets, GITHUB_TOKEN: host.github.token ?? "" },
    inputs: { ...dispatchDefaults(workflow), ...options.inputs },
  };
  const github = { ...host.github, workflow: title };
  const entries = await runJobs(workflow, {
    host,
    github,
    contexts,
    allowed: undefined,
    prefix: "",
    signal,
  });
  const { result, jobs } = merge(Object.values(entries));
  const results = Object.entries(entries).map(([id, entry]) => [id, entry.result]);
  return {
    conclusion: result,
    results: Object.fromEntries(results),
    jobs,
    artifacts: host.artifacts,
  };
}

function dispatchDefaults(workflow: Fields) {
  const inputs = fieldsOf(fieldsOf(fieldsOf(workflow.on).workflow_dispatch).inputs);
  const entries = Object.entries(inputs).map(([name, input]) => [
    name,
    literalOf(fieldsOf(input).default) ?? "",
  ]);
  return Object.fromEntries(entries);
}

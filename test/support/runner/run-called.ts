import { readFileSync } from "node:fs";
import { join } from "node:path";
import { evaluate, type Setting } from "./expression.ts";
import { type Finished, merge } from "./finished.ts";
import { readWorkflow } from "./github-parser.ts";
import type { Host, Json, Permissions } from "./model.ts";
import type { EntrySetting, RunSetting } from "./run-jobs.ts";
import { textIn } from "./scope.ts";
import { type Fields, fieldsOf, literalOf, plainOf, textOf } from "./tokens.ts";

type RunJobs = (workflow: Fields, setting: RunSetting) => Promise<Record<string, Finished>>;

/** A job that calls a workflow: its inputs and secrets go in, its outputs come out, its jobs run below our name. */
export async function runCalled(
  entry: EntrySetting & { name: string; permissions: Permissions },
  runJobs: RunJobs,
): Promise<Finished> {
  const { job, host, github, contexts, signal, name, permissions } = entry;
  const file = findWorkflow(textOf(literalOf(job.uses)), host);
  const workflow = await readWorkflow({ name: file, content: readFileSync(file, "utf8") });
  const declared = fieldsOf(fieldsOf(workflow.on).workflow_call);
  const setting: Setting = {
    contexts: { ...contexts, github },
    status: "success",
    workspace: host.repository,
  };
  const inner = {
    vars: contexts.vars ?? {},
    inputs: readInputs(declared, job, setting),
    secrets: readSecrets(declared, job, setting),
  };
  const prefix = `${name} / `;
  const jobs = await runJobs(workflow, {
    host,
    github,
    contexts: inner,
    allowed: permissions,
    prefix,
    signal,
  });
  const parts = Object.entries(jobs);
  const table = parts.map(([id, { result, outputs }]) => [id, { result, outputs }]);
  const outer = { ...setting, contexts: { ...inner, github, jobs: Object.fromEntries(table) } };
  const outputs = Object.entries(fieldsOf(declared.outputs)).map(([key, output]) => [
    key,
    textIn(outer, fieldsOf(output).value),
  ]);
  return { ...merge(Object.values(jobs)), outputs: Object.fromEntries(outputs) };
}

function findWorkflow(uses: string, { repository, uses: table }: Host): string {
  if (uses.startsWith("./")) return join(repository, uses);
  const found = table[uses.split("@")[0] ?? ""];
  if (typeof found !== "string") throw new Error(`There is no workflow for ${uses}.`);
  return found;
}

function readInputs(declared: Fields, job: Fields, setting: Setting): Record<string, Json> {
  const value = (token: Fields[string]) => plainOf(token, (text) => evaluate(text, setting));
  const given = fieldsOf(job.with);
  const inputs = Object.entries(fieldsOf(declared.inputs));
  refuseUnknown("input", Object.keys(given), Object.keys(fieldsOf(declared.inputs)));
  return Object.fromEntries(
    inputs.map(([name, token]) => {
      const input = fieldsOf(token);
      if (given[name] !== undefined) return [name, value(given[name])];
      if (literalOf(input.required) === true) throw new Error(`Input ${name} is required.`);
      const empty = { boolean: false, number: 0 }[textOf(literalOf(input.type))] ?? "";
      return [name, value(input.default) ?? empty];
    }),
  );
}

/** Only the secrets that are handed over, unless all are inherited; the token always is. */
function readSecrets(declared: Fields, job: Fields, setting: Setting): Record<string, Json> {
  const all = setting.contexts.secrets as Record<string, Json>;
  if (literalOf(job.secrets) === "inherit") return all;
  const given = fieldsOf(job.secrets);
  refuseUnknown("secret", Object.keys(given), Object.keys(fieldsOf(declared.secrets)));
  for (const [name, token] of Object.entries(fieldsOf(declared.secrets))) {
    const isRequired = literalOf(fieldsOf(token).required) === true;
    if (isRequired && given[name] === undefined) throw new Error(`Secret ${name} is required.`);
  }
  const entries = Object.entries(given).map(([name, token]) => [name, textIn(setting, token)]);
  return { ...Object.fromEntries(entries), GITHUB_TOKEN: all.GITHUB_TOKEN ?? "" };
}

function refuseUnknown(kind: string, given: string[], known: string[]): void {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new Error(`Invalid ${kind}, ${unknown.join(", ")} is not defined in the called workflow.`);
}

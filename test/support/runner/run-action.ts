import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { evaluate } from "./expression.ts";
import { readAction } from "./github-parser.ts";
import type { StepResult, Texts } from "./model.ts";
import type { StepCall } from "./run-script.ts";
import { type Scope, settingOf, textIn, textsIn } from "./scope.ts";
import { type Fields, fieldsOf, itemsOf, literalOf, plainOf, textOf } from "./tokens.ts";

export interface ActionResult {
  status: Scope["status"];
  outputs: Texts;
  steps: StepResult[];
}

export type RunSteps = (scope: Scope, steps: Fields[]) => Promise<StepResult[]>;

/** A `uses:` step: a composite action of the repository or of the table of stand-ins, or a stand-in. */
export async function runUses(call: StepCall, runSteps: RunSteps): Promise<ActionResult> {
  const { scope, step, env } = call;
  const { job } = scope;
  const uses = textOf(literalOf(step.uses));
  const given = textsIn(settingOf(scope, env), step.with);
  job.log.write(`##[group]Run ${uses}`);
  for (const [key, value] of Object.entries(given)) job.log.write(`  ${key}: ${value}`);
  job.log.write("##[endgroup]");
  const found = findAction(uses, scope);
  if (typeof found === "string") return runComposite(call, { folder: found, given }, runSteps);
  const outputs = await found({
    with: given,
    env: { ...job.env, ...scope.env, ...env },
    github: scope.github,
    place: job.place,
    host: job.host,
    log: (line) => job.log.write(line),
    addPath: (folder) => job.path.push(folder),
  });
  return { status: "success", outputs, steps: [] };
}

function findAction(uses: string, { job }: Scope) {
  if (uses.startsWith("./")) return resolve(job.place.workspace, uses);
  const [name = ""] = uses.split("@");
  const table = job.host.uses;
  const key = Object.keys(table).find((entry) => name === entry || name.startsWith(`${entry}/`));
  const found = key === undefined ? undefined : table[key];
  if (found === undefined) throw new Error(`There is no stand-in for ${uses}.`);
  return typeof found === "string" ? join(found, name.slice(key?.length)) : found;
}

async function runComposite(
  { scope, env, signal }: StepCall,
  { folder, given }: { folder: string; given: Texts },
  runSteps: RunSteps,
): Promise<ActionResult> {
  const file = ["action.yml", "action.yaml"].map((name) => join(folder, name)).find(existsSync);
  if (file === undefined) throw new Error(`Can't find 'action.yml' under '${folder}'.`);
  const action = readAction({ name: file, content: readFileSync(file, "utf8") });
  const runs = fieldsOf(action.runs);
  if (textOf(literalOf(runs.using)) !== "composite") {
    throw new Error(`${file}: only composite actions are run here.`);
  }
  const github = { ...scope.github, action_path: folder, action_status: "success" };
  const { runner = {}, strategy = {}, matrix = {} } = scope.contexts;
  const base = { runner, strategy, matrix };
  const inner: Scope = {
    job: scope.job,
    contexts: { ...base, inputs: readInputs({ ...scope, github }, action, given) },
    github,
    env: { ...scope.env, ...env },
    steps: {},
    isEmbedded: true,
    limit: signal,
    status: "success",
  };
  const steps = await runSteps(inner, itemsOf(runs.steps).map(fieldsOf));
  const setting = settingOf(inner);
  const outputs = Object.entries(fieldsOf(action.outputs)).map(([name, output]) => [
    name,
    textIn(setting, fieldsOf(output).value),
  ]);
  const isCancelled = steps.some(({ conclusion }) => conclusion === "cancelled");
  const status = isCancelled ? "cancelled" : inner.status;
  return { status, outputs: Object.fromEntries(outputs), steps };
}

/** Every declared input: as given, else its default, else empty. Others are named and left out. */
function readInputs(scope: Scope, action: Fields, given: Texts): Texts {
  const declared = Object.entries(fieldsOf(action.inputs));
  const names = declared.map(([name]) => name.toLowerCase());
  const wrong = Object.keys(given).filter((name) => !names.includes(name.toLowerCase()));
  if (wrong.length > 0) {
    const list = (entries: string[]) => entries.map((name) => `'${name}'`).join(", ");
    const message = `Unexpected input(s) ${list(wrong)}, valid inputs are [${list(names)}]`;
    scope.job.log.annotate({ level: "warning", message, properties: {} });
  }
  const setting = settingOf(scope);
  const inputs = declared.map(([name, input]) => {
    const key = Object.keys(given).find((entry) => entry.toLowerCase() === name.toLowerCase());
    const standard = plainOf(fieldsOf(input).default, (text) => evaluate(text, setting));
    return [name, key === undefined ? textOf(standard) : (given[key] ?? "")];
  });
  return Object.fromEntries(inputs);
}

import { evaluate, type Setting } from "./expression.ts";
import type { JobLog } from "./job-log.ts";
import type { Host, JobPlace, Json, Permissions, Status, Texts } from "./model.ts";
import { fieldsOf, plainOf, type Token, textOf } from "./tokens.ts";

/** What the steps of a job share, and change. */
export interface JobState {
  readonly host: Host;
  readonly place: JobPlace;
  readonly log: JobLog;
  /** `vars`, `secrets`, `matrix`, `needs`, `strategy`, `inputs`, `runner`. */
  readonly contexts: Record<string, Json>;
  /** Aborted when the job is cancelled. */
  readonly signal: AbortSignal;
  readonly trackingId: string;
  readonly permissions: Permissions;
  readonly isDebug: boolean;
  readonly defaults: { shell: string; workingDirectory: string };
  /** Variables of workflow and job, and what steps wrote to `GITHUB_ENV`. */
  readonly env: Texts;
  /** Folders that steps put before `PATH`; the last one comes first. */
  readonly path: string[];
  readonly summary: string[];
}

/** Where steps run: a job, or a composite action inside of one. */
export interface Scope {
  readonly job: JobState;
  readonly contexts: Record<string, Json>;
  readonly github: Record<string, Json>;
  /** Variables of the step that called the action. */
  readonly env: Texts;
  /** The `steps` context. */
  readonly steps: Record<string, Json>;
  readonly isEmbedded: boolean;
  /** The time limit of the step that called the action. */
  readonly limit: AbortSignal | undefined;
  status: Status;
}

/** What expressions of a step see; `env` is the step's own. */
export function settingOf(scope: Scope, env: Texts = {}): Setting {
  const { job } = scope;
  const status = job.signal.aborted ? "cancelled" : scope.status;
  const contexts = {
    ...scope.contexts,
    github: scope.github,
    env: { ...job.env, ...scope.env, ...env },
    steps: scope.steps,
    job: { status },
  };
  return { contexts, status, workspace: job.place.workspace };
}

/** The text of a token, its expressions evaluated. */
export function textIn(setting: Setting, token: Token | undefined): string {
  return textOf(plainOf(token, (expression) => evaluate(expression, setting)));
}

/** The texts of a mapping, by key. */
export function textsIn(setting: Setting, token: Token | undefined): Texts {
  const value = plainOf(token, (expression) => evaluate(expression, setting));
  if (value === null || typeof value !== "object") return {};
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, textOf(entry)]));
}

/** Variables of several levels, each of which sees those before it. */
export function layeredEnv(setting: Setting, layers: readonly (Token | undefined)[]): Texts {
  const env: Texts = {};
  for (const layer of layers) {
    const contexts = { ...setting.contexts, env };
    Object.assign(env, textsIn({ ...setting, contexts }, layer));
  }
  return env;
}

/** `defaults.run` of workflow and job; the job's win. */
export function runDefaults(setting: Setting, layers: readonly (Token | undefined)[]) {
  const runs = layers.map((layer) => textsIn(setting, fieldsOf(layer).run));
  const found: Texts = Object.assign({}, ...runs);
  return { shell: found.shell ?? "", workingDirectory: found["working-directory"] ?? "" };
}

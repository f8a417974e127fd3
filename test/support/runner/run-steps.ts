import { isTrue } from "./expression.ts";
import type { Conclusion, StepResult, Texts } from "./model.ts";
import { runUses } from "./run-action.ts";
import { runScript } from "./run-script.ts";
import { type Scope, settingOf, textIn, textsIn } from "./scope.ts";
import { conditionOf, type Fields, literalOf, textOf } from "./tokens.ts";

/** Runs steps one after the other; each decides by its condition whether it runs after a failure or a cancellation. */
export async function runSteps(scope: Scope, steps: Fields[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) {
    if (!scope.isEmbedded) scope.job.log.beginStep();
    const result = await runStep(scope, step);
    results.push(result);
    const { id, outputs, outcome, conclusion } = result;
    if (id !== "") scope.steps[id] = { outputs, outcome, conclusion };
    if (conclusion === "failure") scope.status = "failure";
  }
  return results;
}

async function runStep(scope: Scope, step: Fields): Promise<StepResult> {
  const id = textOf(literalOf(step.id));
  const result: StepResult = {
    id,
    name: textOf(literalOf(step.name ?? step.uses)) || id,
    outcome: "success",
    conclusion: "success",
    outputs: {},
    steps: [],
  };
  try {
    const env = textsIn(settingOf(scope), step.env);
    if (!isTrue(conditionOf(step.if), settingOf(scope, env))) {
      return { ...result, outcome: "skipped", conclusion: "skipped" };
    }
    if (step.name !== undefined) result.name = textIn(settingOf(scope, env), step.name);
    Object.assign(result, await perform(scope, step, env));
  } catch (error) {
    const { message } = error as Error;
    scope.job.log.annotate({ level: "error", message, properties: {} });
    result.outcome = "failure";
  }
  const isForgiven =
    result.outcome === "failure" && textIn(settingOf(scope), step["continue-on-error"]) === "true";
  return { ...result, conclusion: isForgiven ? "success" : result.outcome };
}

async function perform(scope: Scope, step: Fields, env: Texts) {
  using stop = watchForStop(scope, step, env);
  const call = { scope, step, env, signal: stop.signal };
  const { outcome, ...rest } =
    step.run === undefined ? await performAction(call) : await performScript(call);
  const { log } = scope.job;
  if (!stop.signal.aborted || step.run === undefined) return { ...rest, outcome };
  const isCancelled = stop.signal.reason === "cancelled";
  const message = isCancelled ? "The operation was canceled." : "The action has timed out.";
  log.annotate({ level: "error", message, properties: {} });
  return { ...rest, outcome: isCancelled ? ("cancelled" as const) : ("failure" as const) };
}

async function performScript(call: Parameters<typeof runScript>[0]) {
  const { isGood, outputs } = await runScript(call);
  return { outcome: (isGood ? "success" : "failure") as Conclusion, outputs };
}

async function performAction(call: Parameters<typeof runScript>[0]) {
  const { status, outputs, steps } = await runUses(call, runSteps);
  return { outcome: status as Conclusion, outputs, steps };
}

/**
 * Says when a step must stop: its time is over, or that of the step around it, or the job is cancelled and its
 * condition does not ask to run then. Steps around a composite's steps are not asked about cancellation.
 */
function watchForStop(
  scope: Scope,
  step: Fields,
  env: Texts,
): { signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const { signal, host } = scope.job;
  const minutes = Number(textIn(settingOf(scope, env), step["timeout-minutes"]) || 0);
  const expire = () => controller.abort("timed out");
  const timer =
    minutes > 0 ? setTimeout(expire, minutes * host.patience.minuteMs).unref() : undefined;
  const onCancel = () => {
    const isWanted = isTrue(conditionOf(step.if), settingOf(scope, env));
    if (!isWanted && step.run !== undefined) controller.abort("cancelled");
  };
  if (!signal.aborted) signal.addEventListener("abort", onCancel);
  scope.limit?.addEventListener("abort", expire);
  if (scope.limit?.aborted) expire();
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal.removeEventListener("abort", onCancel);
      scope.limit?.removeEventListener("abort", expire);
    },
  };
}

import type { AutopilotDeps, AutopilotRequest } from "../../autopilot/run/run-request.ts";
import { locateSession } from "../../entry/locate-session.ts";
import { type EndedRun, runList } from "../../entry/run-list.ts";
import { defaultJobMinutes } from "../../entry/run-options.ts";
import type { RunRequest } from "../../entry/run-project.ts";
import { takeLock } from "../../entry/take-lock.ts";
import type { SteeringComments } from "../../github/issues/read-steering-comments.ts";
import type { Environment, System } from "../../platform/system.ts";
import type { SessionContext } from "../../session/loop/session-context.ts";
import type { LocatedProject } from "../../session/open/locate-project.ts";
import { plainText } from "../../text/plain-text.ts";
import { warnWithoutSandbox } from "../checks/checks.ts";
import { requireKeys } from "../checks/require-keys.ts";
import { downloadedBundle } from "../inputs/downloaded-bundle.ts";
import { type GitHubFacts, readerOfFacts } from "../inputs/github-facts.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { requestOfInputs } from "../inputs/read-request.ts";
import { runOptionsOf } from "../inputs/request.ts";
import { withHints } from "../inputs/steering-comments.ts";
import type { StepContext } from "../step.ts";
import { createLiveLog } from "./live-log.ts";
import { announce } from "./report-session-end.ts";

/** The place an autopilot works in, and the facts from GitHub that an earlier step has read. */
export interface AutopilotSetup {
  system: System;
  directory: string;
  facts: GitHubFacts;
  /** Comments that steer the run. */
  steering: SteeringComments;
}

/** An autopilot's dependencies in a job; `session` returns its session once there is one. */
export interface AutopilotJob {
  deps: AutopilotDeps & { place: LocatedProject };
  session: () => SessionContext | undefined;
}

/** Uses the log, the outputs and the time limit of the job; has no token. */
export async function openAutopilotJob(
  context: StepContext,
  setup: AutopilotSetup,
): Promise<AutopilotJob> {
  const { print, cancel } = context;
  const { system, directory, facts, steering } = setup;
  const located = await locateSession(system, { directory, option: undefined });
  let session: SessionContext | undefined;
  const follow = (opened: SessionContext) => {
    session = opened;
  };
  const deps = {
    ...located,
    system,
    // These lines contain file names and text from models.
    log: (line: string) => print.line(plainText(line).replaceAll("\n", " ")),
    approve: undefined,
    lock: (runId: string) => takeLock(system, located.place.store, runId),
    openGitHub: () => readerOfFacts(withHints(facts, steering)),
    runSession: sessionStarter(context, setup, follow),
    publish: async () => ({ kind: "left" as const, next: "The step with the token publishes it." }),
    cancel,
  };
  return { deps, session: () => session };
}

function sessionStarter(
  context: StepContext,
  { system, directory, steering }: AutopilotSetup,
  follow: (session: SessionContext) => void,
): AutopilotDeps["runSession"] {
  const { inputs, print, cancel } = context;
  const startedAt = system.clock.monotonic();
  return async (list) => {
    const log = createLiveLog(context);
    const elapsedMs = system.clock.monotonic() - startedAt;
    const request = {
      ...sessionRequest(inputs, { env: system.env, directory, elapsedMs }),
      steering,
    };
    const { state }: EndedRun = await runList(
      system,
      { request, list },
      {
        live: { event: log.live },
        checked: (config) => requireKeys(config, system.env),
        started: (session) => {
          follow(session);
          log.follow(session);
          announce(session, print);
          warnWithoutSandbox(session, context);
        },
        cancel,
      },
    );
    await log.close();
    return state;
  };
}

/** Analysis and planning count towards the job's time limit. */
function sessionRequest(
  inputs: Inputs,
  { env, directory, elapsedMs }: { env: Environment; directory: string; elapsedMs: number },
): RunRequest {
  const options = runOptionsOf(inputs, { env });
  const minutes = (options.jobMinutes ?? defaultJobMinutes) - elapsedMs / 60_000;
  return {
    ...{ directory, config: inputs.config, sessionDir: undefined },
    options: { ...options, jobMinutes: Math.max(1, minutes) },
  };
}

/** The inputs as the request for an autopilot run. */
export async function autopilotRequest(
  inputs: Inputs,
  { system, facts }: Pick<AutopilotSetup, "system" | "facts">,
): Promise<AutopilotRequest> {
  const resume = inputs["resume-from"] ? await downloadedBundle(system, inputs) : undefined;
  const options = runOptionsOf(inputs, { env: system.env, bundle: resume });
  return {
    config: inputs.config,
    flags: options,
    reports: inputs["reports-dir"],
    report: resume === undefined ? inputs.report : undefined,
    work: facts.request ?? requestOfInputs({ inputs, env: system.env }),
    branch: resume === undefined ? inputs.branch : undefined,
    document: "with",
    mode: undefined,
    range: undefined,
    model: undefined,
    recentDays: undefined,
    pull: inputs["create-pr"],
    act: resume !== undefined ? "resume" : options.dryRun ? "analyze" : "start",
    resume,
  };
}

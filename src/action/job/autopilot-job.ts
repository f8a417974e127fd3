import type { AutopilotDeps, AutopilotRequest } from "../../autopilot/run/run-request.ts";
import type { ListRequest } from "../../core/state/event.ts";
import { locateSession } from "../../entry/locate-session.ts";
import { type EndedRun, runList } from "../../entry/run-list.ts";
import { defaultJobMinutes } from "../../entry/run-options.ts";
import { takeLock } from "../../entry/take-lock.ts";
import type { Config } from "../../schema/config/config.ts";
import type { LocatedProject } from "../../session/open/locate-project.ts";
import { plainText } from "../../text/plain-text.ts";
import { requireKeys } from "../checks/require-keys.ts";
import { downloadedBundle } from "../inputs/downloaded-bundle.ts";
import { requestOfInputs } from "../inputs/read-request.ts";
import { runOptionsOf } from "../inputs/request.ts";
import { withHints } from "../inputs/steering-comments.ts";
import { type GitHubFacts, readerOfFacts } from "../inputs/step-handoff.ts";
import { createLiveLog } from "./live-log.ts";
import type { Work } from "./open-work.ts";

/** The work of an autopilot, with the facts from GitHub that an earlier step has read. */
export type AutopilotWork = Work & { facts: GitHubFacts };

/** An autopilot's dependencies in a job; `ended` returns its session once that has ended. */
export interface AutopilotJob {
  deps: AutopilotDeps & { place: LocatedProject };
  ended: () => EndedRun | undefined;
}

/** Uses the log, the outputs and the time limit of the job; has no token. */
export async function openAutopilotJob(work: AutopilotWork): Promise<AutopilotJob> {
  const { context, system, directory, facts, steering } = work;
  const located = await locateSession(system, { directory, option: undefined });
  const startedAt = system.clock.monotonic();
  let ended: EndedRun | undefined;
  const deps: AutopilotJob["deps"] = {
    ...{ ...located, system, cancel: context.cancel, approve: undefined },
    // These lines contain file names and text from models.
    log: (line) => context.print.line(plainText(line).replaceAll("\n", " ")),
    lock: (runId) => takeLock(system, located.place.store, runId),
    openGitHub: () => readerOfFacts(withHints(facts, steering)),
    runSession: async (list) => {
      const session = await runSession(work, list, system.clock.monotonic() - startedAt);
      ended = session;
      return session.state;
    },
    publish: async () => ({ kind: "left", next: "The step with the token publishes it." }),
  };
  return { deps, ended: () => ended };
}

/** Analysis and planning count towards the job's time limit. */
async function runSession(
  { context, system, directory, steering }: AutopilotWork,
  list: ListRequest,
  elapsedMs: number,
): Promise<EndedRun> {
  const { inputs } = context;
  const options = runOptionsOf(inputs, { env: system.env });
  const minutes = (options.jobMinutes ?? defaultJobMinutes) - elapsedMs / 60_000;
  const request = {
    ...{ directory, config: inputs.config, sessionDir: undefined, steering },
    options: { ...options, jobMinutes: Math.max(1, minutes) },
  };
  const { close, ...listener } = createLiveLog(context);
  const checked = (config: Config) => requireKeys(config, system.env);
  const ended = await runList(system, { request, list }, { ...listener, checked });
  await close();
  return ended;
}

/** The inputs as the request for an autopilot run. */
export async function autopilotRequest({
  context: { inputs },
  system,
  facts,
}: AutopilotWork): Promise<AutopilotRequest> {
  const resume = inputs["resume-from"] ? await downloadedBundle(system, inputs) : undefined;
  const options = runOptionsOf(inputs, { env: system.env, bundle: resume });
  return {
    ...{ mode: undefined, range: undefined, model: undefined, recentDays: undefined },
    config: inputs.config,
    flags: options,
    reports: inputs["reports-dir"],
    report: resume === undefined ? inputs.report : undefined,
    work: facts.request ?? requestOfInputs({ inputs, env: system.env }),
    branch: resume === undefined ? inputs.branch : undefined,
    document: "with",
    pull: inputs["create-pr"],
    act: resume !== undefined ? "resume" : options.dryRun ? "analyze" : "start",
    resume,
  };
}

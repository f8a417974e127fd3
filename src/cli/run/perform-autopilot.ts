import { openGitHubReader } from "../../autopilot/reports/github-reader.ts";
import { runAutopilot } from "../../autopilot/run/run-autopilot.ts";
import type {
  AutopilotDeps,
  PublishOutcome,
  PublishRun,
  RunSession,
} from "../../autopilot/run/run-request.ts";
import { locateSession } from "../../entry/locate-session.ts";
import { runList } from "../../entry/run-list.ts";
import { withEnvironment } from "../../entry/run-options.ts";
import { takeLock } from "../../entry/take-lock.ts";
import { RalphError, stopReasons } from "../../error.ts";
import type { PublishRequest } from "../../github/publication/publish-request.ts";
import { publishSession } from "../../github/publish/publisher.ts";
import { createPrompter } from "../../platform/input.ts";
import { plainText } from "../../text/plain-text.ts";
import { type Action, type CommandContext, shownBelow } from "../core/command.ts";
import { createLiveLines } from "../core/live-lines.ts";
import { chooseSessionTarget } from "../publish/choose-target.ts";
import { publishRequestFor } from "../publish/publish-request.ts";
import { type AutopilotOptions, autopilotRequestOf } from "./autopilot-request.ts";
import { outcomeJson, renderOutcome } from "./autopilot-text.ts";

/** Runs the autopilot with progress lines and prints the outcome. */
export const performAutopilot: Action<AutopilotOptions> = async (context, options) => {
  const { system, output, globals } = context;
  const request = autopilotRequestOf(options, { config: globals.config, env: system.env });
  const deps = await depsOf(context);
  const outcome = await runAutopilot(deps, request);
  const sessionDir = shownBelow(deps.place.root, deps.sessionDir);
  output.answer(outcomeJson(outcome), renderOutcome(outcome, { sessionDir }));
  return outcome.kind === "ended" ? stopReasons[outcome.reason] : 0;
};

async function depsOf(context: CommandContext): Promise<AutopilotDeps> {
  const { system, output, directory, globals, signal } = context;
  const { place, sessionDir } = await locateSession(system, {
    directory,
    option: globals.sessionDir,
  });
  const { root } = place;
  return {
    ...{ system, place, sessionDir },
    // These lines contain file names and text written by models.
    log: (line) => {
      if (output.level !== "quiet") output.progress(plainText(line).replaceAll("\n", " "));
    },
    approve: approverOf(context),
    lock: (runId) => takeLock(system, place.store, runId),
    openGitHub: (remote) => openGitHubReader(system, { root, remote }),
    runSession: sessionStarter(context),
    publish: createPublisher(context),
    cancel: signal,
  };
}

/** Runs the task list as `ralph run` does. */
function sessionStarter(context: CommandContext): RunSession {
  const { system, output, directory, globals, signal } = context;
  const { config, sessionDir } = globals;
  const request = { directory, config, sessionDir, options: withEnvironment({}, system.env) };
  return async (list) => {
    const { state } = await runList(
      system,
      { request, list },
      {
        live: createLiveLines(output, system.clock),
        started: ({ journal }) => {
          if (output.level === "quiet") return;
          output.progress(`Session ${journal.state.session.session_id}`);
        },
        cancel: signal,
      },
    );
    return state;
  };
}

/** Asks only on a terminal. */
function approverOf({ output, signal }: CommandContext): AutopilotDeps["approve"] {
  const prompter = createPrompter();
  const isAsked = prompter.isTerminal && output.isTerminal && !output.wantsJson;
  if (!isAsked || output.level === "quiet") return undefined;
  return async ({ path, text }) => {
    output.progress(`\n${plainText(text)}`);
    const question = `${path} is committed. Continue with the task list? [Y/n] `;
    return !/^n/i.test(await prompter.question(question, signal));
  };
}

/** Publishes the run as `ralph publish` does. Without a remote or a token it says how, and the run still succeeds. */
const createPublisher =
  (context: CommandContext): PublishRun =>
  async () => {
    const request = await preparePublishRequest(context);
    if ("kind" in request) return request;
    const { pull, lowValueReason } = await publishSession(context.system, request);
    if (pull) return { kind: "published", url: pull.url };
    if (lowValueReason) return { kind: "left", next: `Nothing was published: ${lowValueReason}.` };
    return { kind: "left", next: "The branch is pushed; no pull request was opened." };
  };

async function preparePublishRequest(
  context: CommandContext,
): Promise<PublishRequest | (PublishOutcome & { kind: "left" })> {
  try {
    return await publishRequestFor(context, await chooseSessionTarget(context), "pull");
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return {
      kind: "left",
      next: `Nothing was published: ${error.message} ${error.remedy} Then \`ralph publish\`.`,
    };
  }
}

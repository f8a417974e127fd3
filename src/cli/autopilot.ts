import { type Command, Option } from "commander";
import { runAutopilot } from "../autopilot/run-autopilot.ts";
import type { AutopilotDeps, Published, RunSession } from "../autopilot/run-request.ts";
import { locateSessionDir } from "../door/open-views.ts";
import { runProject } from "../door/run-project.ts";
import { takeLock } from "../door/take-lock.ts";
import { stopReasons } from "../error.ts";
import { checkSessionDir } from "../git/session-dir.ts";
import { locateProject } from "../loop/locate-project.ts";
import { plainText } from "../surfaces/plain-text.ts";
import { createPrompter } from "../system/prompter.ts";
import { act, type Outside } from "./act.ts";
import { type AutopilotOptions, requestOf } from "./autopilot-request.ts";
import { outcomeJson, renderOutcome } from "./autopilot-text.ts";
import type { Action, CommandContext } from "./command.ts";
import { createLiveLines } from "./live-lines.ts";

const help = `
It takes the newest report nobody has worked on from autopilot.reports_dir, asks
a model for the item that is most worth doing, writes analysis.json, a
requirements document and the task list, commits them on a new branch, and works
through the tasks as \`ralph run\` does. Every run starts from the base branch,
from a clean work tree. A report that was worked on is not taken again.

The model is asked with AI_GATEWAY_API_KEY, ANTHROPIC_API_KEY, OPENAI_API_KEY or
OPENROUTER_API_KEY, else by the claude program. Issues, and reports that are not
committed on the base branch, need the sandbox.

Examples:
  ralph autopilot --dry-run                 what would be worked on, and why
  ralph autopilot                           do it
  ralph autopilot --report reports/may.md   from this report
  ralph autopilot --issue 12                from an issue (needs GITHUB_TOKEN)
  ralph autopilot --resume                  go on with the run that stopped

Exit codes: those of \`ralph run\`, and 10 no report, 11 analysis, 12 requirements
document, 13 task list, 14 git.`;

/** `ralph autopilot`: from a report to a finished session. */
export function addAutopilot(program: Command, outside: Outside): void {
  const command = program
    .command("autopilot")
    .summary("work on the most valuable item of a report")
    .description("Reads a report or an issue, plans its most valuable item, and works on it.")
    .option("-r, --reports <folder>", "folder with reports (autopilot.reports_dir)")
    .option("--report <file>", "this report, even if it was worked on before")
    .option("--issue <n>", "an issue on GitHub as the report")
    .option("--dry-run", "show the analysis and leave nothing behind")
    .option("--create-pr", "a pull request is wanted (autopilot.create_pr)")
    .option("--no-create-pr", "none is wanted")
    .option("-b, --branch <name>", "name of the new branch")
    .option("--no-prd", "tasks from the analysis alone, without a document")
    .addOption(
      new Option("--prd-mode <mode>", "whether the document is shown before it goes on").choices([
        "autonomous",
        "interactive",
      ]),
    )
    .option("--task-count <range>", "number of tasks: 8-15, or 5")
    .option("--analysis-model <model>", "model that analyses and plans")
    .option("--recent-days <n>", "leave out what was fixed in these days")
    .option("--resume", "go on with the last unfinished run")
    .addHelpText("after", help);
  act(command, outside, autopilot);
}

const autopilot: Action<AutopilotOptions> = async (context, options) => {
  const { system, output, globals } = context;
  const request = requestOf(options, { config: globals.config, env: system.env });
  const deps = await depsOf(context);
  const outcome = await runAutopilot(deps, request);
  if (output.wantsJson) output.json(outcomeJson(outcome));
  else {
    const { sessionDir, place } = deps;
    const isBelow = sessionDir.startsWith(`${place.root}/`);
    const shown = isBelow ? sessionDir.slice(place.root.length + 1) : sessionDir;
    output.result(renderOutcome(outcome, { sessionDir: shown }));
  }
  return outcome.kind === "ended" ? stopReasons[outcome.reason] : 0;
};

async function depsOf(context: CommandContext): Promise<AutopilotDeps> {
  const { system, output, directory, globals, signal } = context;
  const place = await locateProject(system, directory);
  const { root } = place;
  const named = locateSessionDir({ option: globals.sessionDir, env: system.env }, root);
  return {
    ...{ system, place, sessionDir: await checkSessionDir(system, { root, sessionDir: named }) },
    // Names of files and words of models stand in these lines.
    tell: (line) => {
      if (output.level !== "quiet") output.progress(plainText(line).replaceAll("\n", " "));
    },
    approve: approverOf(context),
    lock: (runId) => takeLock(system, place.store, runId),
    runSession: sessionStarter(context),
    publish: leaveToPublish,
    cancel: signal,
  };
}

/** A pull request is opened by its own command. */
const leaveToPublish = async (): Promise<Published> => ({
  kind: "left",
  next: "Publish the branch and open the pull request with `ralph publish`.",
});

/** The same loop as `ralph run`, with the same lines. */
function sessionStarter(context: CommandContext): RunSession {
  const { system, output, directory, globals, signal } = context;
  return async ({ act: how, taskPath, sandbox }) => {
    const options = { prdJson: taskPath, sandbox, ...(how === "resume" && { resume: true }) };
    const { config, sessionDir } = globals;
    const outcome = await runProject(
      system,
      { directory, config, sessionDir, options },
      {
        live: createLiveLines(output),
        started: ({ journal }) => {
          if (output.level === "quiet") return;
          output.progress(`Session ${journal.run.session.session_id}`);
        },
        cancel: signal,
      },
    );
    if (outcome.kind === "ended") return outcome.run;
    throw new Error("A session that was asked for has only been planned.");
  };
}

/** Questions only where a person waits for them. */
function approverOf({ output, signal }: CommandContext): AutopilotDeps["approve"] {
  const prompter = createPrompter();
  const isAsked = prompter.isTerminal && output.isTerminal && !output.wantsJson;
  if (!isAsked || output.level === "quiet") return undefined;
  return async ({ path, text }) => {
    output.progress(`\n${plainText(text)}`);
    const question = `${path} is committed. Go on with the task list? [Y/n] `;
    return !/^n/i.test(await prompter.question(question, signal));
  };
}

import { type Command, Option } from "commander";
import { type Action, addAction, type CommandHost } from "../core/command.ts";
import type { AutopilotOptions } from "./autopilot-request.ts";

const help = `
Reads the newest report in autopilot.reports_dir that no run has used, asks a
model for its most valuable item, writes analysis.json, a requirements document
and the task list, commits them on a new branch, and works through the tasks as
\`ralph run\` does. Every run starts from the base branch and a clean work tree.
A used report is skipped, unless you name it; an issue that is the only source
is never skipped. With --issue and --reports, the model chooses between the
issue and the newest reports.

The model is called with AI_GATEWAY_API_KEY, ANTHROPIC_API_KEY, OPENAI_API_KEY or
OPENROUTER_API_KEY, otherwise through the claude program. Issues, and reports
that are not committed on the base branch, need the sandbox.

Examples:
  ralph autopilot --dry-run                 show the item it would choose, and why
  ralph autopilot                           work on it
  ralph autopilot --report reports/may.md   start from this report
  ralph autopilot --issue 12                from an issue (needs GITHUB_TOKEN)
  ralph autopilot --issue 12 --reports reports
                                            choose among the issue and reports
  ralph autopilot --resume                  continue the run that stopped

Exit codes: those of \`ralph run\`, and 10 no report, 11 analysis, 12 requirements
document, 13 task list, 14 git.`;

/** `ralph autopilot`: from a report to a finished session. */
export function addAutopilot(program: Command, host: CommandHost): void {
  const command = program
    .command("autopilot")
    .summary("work on the most valuable item of a report")
    .description("Reads a report or an issue, plans its most valuable item, and works on it.")
    .option("-r, --reports <folder>", "folder with reports (autopilot.reports_dir)")
    .option("--report <file>", "use this report, even if a run has used it before")
    .option("--issue <n>", "use this GitHub issue; with --reports, as one more candidate")
    .option("--dry-run", "show the analysis and write nothing")
    .option("--create-pr", "open a pull request (autopilot.create_pr)")
    .option("--no-create-pr", "open no pull request")
    .option("-b, --branch <name>", "name of the new branch")
    .option("--no-prd", "make tasks from the analysis, without a document")
    .addOption(
      new Option("--prd-mode <mode>", "interactive: ask for approval of the document").choices([
        "autonomous",
        "interactive",
      ]),
    )
    .option("--task-count <range>", "number of tasks: 8-15, or 5")
    .option("--analysis-model <model>", "model for analysis and planning")
    .option("--recent-days <n>", "skip items fixed in the last n days")
    .option("--resume [bundle]", "continue the last unfinished run, or that of a bundle")
    .addHelpText("after", help);
  addAction(command, host, autopilot);
}

/** The code for models and GitHub is loaded on demand, to keep the start of other commands fast. */
const autopilot: Action<AutopilotOptions> = async (context, options) => {
  const { performAutopilot } = await import("./perform-autopilot.ts");
  return performAutopilot(context, options);
};

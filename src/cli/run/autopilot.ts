import { type Command, Option } from "commander";
import { type Action, addAction, type CommandHost } from "../core/command.ts";
import type { AutopilotOptions } from "./autopilot-request.ts";

const help = `
It takes the newest report nobody has worked on from autopilot.reports_dir, asks
a model for the item that is most worth doing, writes analysis.json, a
requirements document and the task list, commits them on a new branch, and works
through the tasks as \`ralph run\` does. Every run starts from the base branch,
from a clean work tree. A report that was worked on is not taken again; one that
is named, or an issue that is the only source, is. With --issue and --reports
together the item is chosen among the issue and the newest reports.

The model is asked with AI_GATEWAY_API_KEY, ANTHROPIC_API_KEY, OPENAI_API_KEY or
OPENROUTER_API_KEY, else by the claude program. Issues, and reports that are not
committed on the base branch, need the sandbox.

Examples:
  ralph autopilot --dry-run                 what would be worked on, and why
  ralph autopilot                           do it
  ralph autopilot --report reports/may.md   from this report
  ralph autopilot --issue 12                from an issue (needs GITHUB_TOKEN)
  ralph autopilot --issue 12 --reports reports
                                            the best of the issue and new reports
  ralph autopilot --resume                  go on with the run that stopped

Exit codes: those of \`ralph run\`, and 10 no report, 11 analysis, 12 requirements
document, 13 task list, 14 git.`;

/** `ralph autopilot`: from a report to a finished session. */
export function addAutopilot(program: Command, host: CommandHost): void {
  const command = program
    .command("autopilot")
    .summary("work on the most valuable item of a report")
    .description("Reads a report or an issue, plans its most valuable item, and works on it.")
    .option("-r, --reports <folder>", "folder with reports (autopilot.reports_dir)")
    .option("--report <file>", "this report, even if it was worked on before")
    .option("--issue <n>", "an issue on GitHub; with --reports, one more to choose from")
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
    .option("--resume [bundle]", "go on with the last unfinished run, or with a bundle's")
    .addHelpText("after", help);
  addAction(command, host, autopilot);
}

/** What asks models and speaks with GitHub is read when it is needed, so that other commands start as fast as before. */
const autopilot: Action<AutopilotOptions> = async (context, options) => {
  const { performAutopilot } = await import("./perform-autopilot.ts");
  return performAutopilot(context, options);
};

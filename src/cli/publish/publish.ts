import type { Command } from "commander";
import { type Action, addAction, type CommandHost } from "../core/command.ts";
import type { PublishOptions } from "./perform-publish.ts";

const help = `
Checks the session as \`ralph audit\` does, checks every commit against the rules
of the start commit, pushes the branch, opens the pull request as a draft, adds
the run record as the last commit, and marks the pull request as ready when
every task has passed. You can repeat it at any time: there is only one pull
request, one record and one comment. It never overwrites commits that others
pushed, and never pushes to the base or default branch.

While \`ralph autopilot\` waits for approval of its document, it has no session
yet: the pull request is then a draft with only that document.

The repository is that of the remote (\`git.remote\`, origin). The token comes
from GITHUB_TOKEN, GH_TOKEN or \`gh auth login\`, in this order.
Exit 14: the branch could not be pushed. 15: no pull request could be opened.
23: published, but the session is not finished. 24: a session is running.
25: the work contains something that must not be published.

Examples:
  ralph publish --dry-run            preview title, text and commits
  ralph publish                      publish the last session
  ralph publish --no-pr              push only the branch
  ralph publish --bundle ./artifact  publish a session from another machine`;

/** `ralph publish`: puts a session's branch, pull request and record on GitHub. */
export function addPublish(program: Command, host: CommandHost): void {
  const command = program
    .command("publish")
    .summary("push a session's branch and open its pull request")
    .description("Publishes a session on GitHub: its branch, a pull request and the run record.")
    .option("--bundle <folder>", "bundle of a session; default: this project's last session")
    .option("--dry-run", "preview the publication and change nothing")
    .option("--no-pr", "push only the branch")
    .addHelpText("after", help);
  addAction(command, host, publish);
}

/** The GitHub code is loaded on demand, to keep the start of other commands fast. */
const publish: Action<PublishOptions> = async (context, options) => {
  const { performPublish: publishChosen } = await import("./perform-publish.ts");
  return publishChosen(context, options);
};

import type { Command } from "commander";
import { type Action, addAction, type CommandHost } from "../core/command.ts";
import type { PublishOptions } from "./perform-publish.ts";

const help = `
It checks the session as \`ralph audit\` does, holds every commit against the
rules of its start commit, pushes the branch, opens the pull request as a draft,
adds the run record as the last commit, and marks the pull request as ready
when every task passed. Stopped half-way it can be started again: there is one
pull request, one record and one comment. It never pushes over what somebody
else pushed, and never to the base or default branch.

A run of \`ralph autopilot\` that waits for a reader has no session yet: then the
pull request is a draft that holds the document alone.

The repository is that of the remote (\`git.remote\`, origin). The token is
GITHUB_TOKEN, GH_TOKEN or that of \`gh auth login\`, in this order.
Exit 14: the branch could not be pushed. 15: no pull request could be opened.
23: published, and the session is to go on. 24: a session is running.
25: something that must not leave this machine was found.

Examples:
  ralph publish --dry-run            title, text and commits, and nothing else
  ralph publish                      the last session
  ralph publish --no-pr              only the branch
  ralph publish --bundle ./artifact  a session from elsewhere, in a clone`;

/** `ralph publish`: a session's branch, its pull request and its record on GitHub. */
export function addPublish(program: Command, host: CommandHost): void {
  const command = program
    .command("publish")
    .summary("push a session's branch and open its pull request")
    .description("Publishes a session on GitHub: its branch, a pull request and the run record.")
    .option("--bundle <folder>", "a session's bundle; default: the last session of this project")
    .option("--dry-run", "show what would be published, and stop")
    .option("--no-pr", "push the branch only")
    .addHelpText("after", help);
  addAction(command, host, publish);
}

/** What speaks with GitHub is read when it is needed, so that other commands start as fast as before. */
const publish: Action<PublishOptions> = async (context, options) => {
  const { performPublish: publishChosen } = await import("./perform-publish.ts");
  return publishChosen(context, options);
};

import { sendAgain } from "../../src/github/api/create-once.ts";
import { unlessExpected } from "../../src/github/api/expected-refusals.ts";
import type { CommentCommand } from "../../src/github/issues/comment-command.ts";
import type { JobData } from "../jobs/job.ts";
import { isRepositoryUnreachable } from "../repositories/repository-facts.ts";
import type { Trigger } from "../rules/authority.ts";
import { judgeActor } from "../runs/judge-actor.ts";
import { answerComment } from "../runs/progress-comment.ts";
import { openSite, type RunParts, type Site } from "../runs/run-parts.ts";

/** The permission each command needs. */
const triggerOf = {
  run: "start-command",
  autopilot: "start-command",
  retry: "start-command",
  cancel: "steer-command",
  pause: "steer-command",
  resume: "steer-command",
  skip: "steer-command",
  hint: "steer-command",
  budget: "steer-command",
  setup: "steer-command",
  status: "look-command",
  help: "look-command",
} as const satisfies Record<CommentCommand["verb"], Trigger>;

type Asked = Pick<JobData["steer"], "place" | "command" | "actor">;

/** Whether the author of a comment may give its command. */
export async function isCommandAllowed(
  parts: RunParts,
  { place, command, actor }: Asked,
): Promise<boolean> {
  const trigger = triggerOf[command.verb];
  return (await judgeActor(parts, place, { actor, trigger })).kind === "allowed";
}

/** Answers a comment, in words or by a reaction. */
export async function giveAnswer(
  parts: RunParts,
  { place, reaction, ...answer }: JobData["answer"],
): Promise<void> {
  const site = await openSite(parts, place);
  if (reaction === undefined) await answerComment(site, answer);
  else await react(site, { comment: answer.comment, reaction });
}

/** GitHub keeps one reaction of a kind, so a repetition changes nothing; a deleted comment gets none. */
async function react(
  { github, clock }: Site,
  { comment, reaction }: { comment: number; reaction: "+1" },
): Promise<void> {
  const wanted = { ...github.repo, comment_id: comment, content: reaction };
  const send = () =>
    github.ask(
      { act: `react to comment ${comment}`, permission: "issues: write", reason: "claim" },
      ({ rest }) => rest.reactions.createForIssueComment(wanted),
    );
  await unlessExpected(isRepositoryUnreachable, sendAgain(clock, send));
}

/**
 * Says once to a person without the permission that commands need it; anyone may comment in a public repository, so other
 * comments of the same person get no answer.
 */
export async function refuseOnce(
  parts: RunParts,
  { place, actor, issue, comment }: Pick<JobData["steer"], "place" | "actor" | "issue" | "comment">,
): Promise<void> {
  if (actor?.type !== "User" || comment === undefined) return;
  const id = `${place.id}/${actor.id}`;
  if (await parts.notes.get("told", id)) return;
  const body =
    "Commands need write permission in this repository, so this one has no effect. Ask a maintainer to give it.\n";
  await giveAnswer(parts, { place, issue, comment, body });
  const [repository, at] = [String(place.id), parts.clock.now()];
  await parts.notes.put({ kind: "told", id, repository, at, data: {} });
}

/** Explains the mistake in a command, if its author may give commands. */
export async function explainCommand(
  parts: RunParts,
  { place, issue, actor, comment, problem }: JobData["explain"],
): Promise<void> {
  const asked: Asked = { place, actor, command: { verb: "help" } };
  if (comment === undefined || !(await isCommandAllowed(parts, asked))) return;
  await giveAnswer(parts, { place, issue, comment, body: `${problem} ${seeHelp}\n` });
}

const seeHelp = "`/ralph help` lists the commands.";

export const commandHelp = [
  "A command is the whole first line of a comment:",
  "",
  "- `/ralph run` works on this issue, `/ralph autopilot` on the most valuable item among the new reports and this issue",
  "- `/ralph status`, `/ralph cancel`",
  "- `/ralph retry` continues with all failed and blocked tasks, `/ralph retry T-003` with that task alone",
  "- `/ralph skip T-003` skips a task, `/ralph hint TEXT` gives the agents a hint, `/ralph budget 5` limits the total cost of the run in US dollars; each takes effect from the next part of the run on",
  "- `/ralph pause` and `/ralph resume` apply to the whole repository, in the repository `.github` to all of its owner",
  "- `/ralph setup` opens the setup pull request now",
].join("\n");

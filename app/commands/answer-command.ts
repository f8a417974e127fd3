import type { CommentCommand } from "../../src/github/issues/comment-command.ts";
import type { JobData } from "../jobs/job.ts";
import type { Trigger } from "../rules/authority.ts";
import { judgeActor } from "../runs/judge-actor.ts";
import { answerComment, commenterFor } from "../runs/progress-comment.ts";
import type { RunParts } from "../runs/run-parts.ts";

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

/** Answers a comment. */
export async function giveAnswer(
  parts: RunParts,
  { place, ...answer }: JobData["answer"],
): Promise<void> {
  await answerComment(await commenterFor(parts, place), answer);
}

/** Explains what is wrong with a command, if its author may give one. */
export async function explainCommand(
  parts: RunParts,
  { place, issue, actor, comment, problem }: JobData["explain"],
): Promise<void> {
  const asked: Asked = { place, actor, command: { verb: "help" } };
  if (comment === undefined || !(await isCommandAllowed(parts, asked))) return;
  await giveAnswer(parts, { place, issue, comment, body: `${problem}\n\n${commandHelp}` });
}

export const commandHelp = [
  "A command is the whole first line of a comment:",
  "",
  "- `/ralph run` works on this issue, `/ralph autopilot` on the most valuable item among the new reports and this issue",
  "- `/ralph status`, `/ralph cancel`",
  "- `/ralph retry` continues with all failed and blocked tasks, `/ralph retry T-003` with that task alone",
  "- `/ralph skip T-003` skips a task, `/ralph hint TEXT` gives the agents a hint, `/ralph budget 5` limits the total cost of the run in US dollars; each takes effect from the next part of the run on",
  "- `/ralph pause` and `/ralph resume` apply to the whole repository",
].join("\n");

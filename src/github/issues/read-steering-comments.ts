import type { SteeringCommand } from "../../core/state/steering-command.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { GitHub } from "../api/create-github.ts";
import { unlessStatus } from "../api/expected-refusals.ts";
import { writerRefusal } from "../claims/require-writer.ts";
import { readCommand, steeringCommandOf } from "./comment-command.ts";

/** The commands of comments, in the given order of ids; `dropped` explains why the others have none. */
export interface SteeringComments {
  orders: SteeringCommand[];
  dropped: string[];
}

/**
 * Reads comments again by their ids, because passed-on text is not trusted (T28). A comment counts in its present form, if
 * its author has write access and its first line is a steering command.
 */
export async function readSteeringComments(
  github: GitHub,
  ids: readonly number[],
): Promise<SteeringComments> {
  const read: SteeringComments = { orders: [], dropped: [] };
  const refusals = new Map<string, Promise<string | undefined>>();
  const refusalOf = (login: string) => {
    const known = refusals.get(login) ?? writerRefusal(github, login);
    refusals.set(login, known);
    return known;
  };
  for (const id of new Set(ids)) {
    const found = await readSteeringCommand(github, id, refusalOf);
    if (typeof found === "string") read.dropped.push(`Comment ${id} is ignored: ${found}.`);
    else read.orders.push(found);
  }
  return read;
}

async function readSteeringCommand(
  github: GitHub,
  id: number,
  refusalOf: (login: string) => Promise<string | undefined>,
): Promise<SteeringCommand | string> {
  const asked = github.ask(
    { act: `read comment ${id}`, permission: "issues: read", reason: "config" },
    ({ rest }) => rest.issues.getComment({ ...github.repo, comment_id: id }),
  );
  const comment = (await unlessStatus([404, 410], asked))?.data;
  if (!comment) return "it was deleted";
  const by = plainLine(comment.user?.login ?? "", 100);
  const read = readCommand(comment.body ?? "");
  const command =
    read.kind === "command" ? steeringCommandOf(read.command, { comment: id, by }) : undefined;
  if (!command) return "its first line is not a steering command";
  const refusal = await refusalOf(comment.user?.login ?? "");
  if (refusal === undefined) return command;
  return `${by || "its author"} has no write access here (GitHub reports: ${plainLine(refusal)})`;
}

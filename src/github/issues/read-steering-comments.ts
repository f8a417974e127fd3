import * as z from "zod";
import type { SteeringCommand } from "../../core/state/steering-command.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { GitHub } from "../api/create-github.ts";
import { httpStatusOf } from "../api/to-ralph-error.ts";
import { writerRefusal } from "../claims/require-writer.ts";
import { readCommand, steeringCommandOf } from "./comment-command.ts";

/** What comments say now, in the order of their ids as given; `dropped` tells why others say nothing any more. */
export interface SteeringComments {
  orders: SteeringCommand[];
  dropped: string[];
}

const Comment = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
});

/**
 * Reads comments again by their ids: what was handed over is never believed (T28). One counts as it stands now, and only
 * when its author may write here and its first line is a command that steers the work.
 */
export async function readSteeringComments(
  github: GitHub,
  ids: readonly number[],
): Promise<SteeringComments> {
  const read: SteeringComments = { orders: [], dropped: [] };
  const roles = new Map<string, Promise<string | undefined>>();
  const roleOf = (login: string) => {
    const known = roles.get(login) ?? writerRefusal(github, login);
    roles.set(login, known);
    return known;
  };
  for (const id of new Set(ids)) {
    const found = await readOrder(github, id, roleOf);
    if (typeof found === "string") read.dropped.push(`Comment ${id} is not heard: ${found}.`);
    else read.orders.push(found);
  }
  return read;
}

/** The order, or why there is none. */
async function readOrder(
  github: GitHub,
  id: number,
  roleOf: (login: string) => Promise<string | undefined>,
): Promise<SteeringCommand | string> {
  const comment = await readComment(github, id);
  if (!comment) return "it was deleted";
  const by = plainLine(comment.user?.login ?? "", 100);
  const command = readCommand(comment.body ?? "");
  const order =
    command.kind === "command"
      ? steeringCommandOf(command.command, { comment: id, by })
      : undefined;
  if (!order) return "its first line is no command that steers a run";
  const role = await roleOf(comment.user?.login ?? "");
  if (role === undefined) return order;
  return `${by || "its author"} has no right to write here (GitHub says: ${plainLine(role)})`;
}

async function readComment(github: GitHub, id: number) {
  try {
    const { data } = await github.ask({
      route: "GET /repos/{owner}/{repo}/issues/comments/{comment_id}",
      parameters: { comment_id: id },
      purpose: { act: `read comment ${id}`, permission: "issues: read", reason: "config" },
    });
    return Comment.parse(data);
  } catch (error) {
    const status = httpStatusOf(error);
    if (status === 404 || status === 410) return undefined;
    throw error;
  }
}

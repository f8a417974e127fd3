import type { GitHub } from "../../github/api/create-github.ts";
import {
  readSteeringComments,
  type SteeringComments,
} from "../../github/issues/read-steering-comments.ts";
import type { System } from "../../platform/system.ts";
import type { StepContext } from "../step.ts";
import type { Inputs } from "./inputs.ts";
import { type GitHubFacts, readHandoff, writeHandoff } from "./step-handoff.ts";

/** Reads the comments of the input `orders` for a later step without the token. */
export async function fetchSteering(
  { system, inputs, print }: StepContext,
  github: GitHub,
): Promise<void> {
  const ids = inputs.orders ?? [];
  if (ids.length === 0) return;
  const steering = await readSteeringComments(github, ids);
  await writeHandoff(system, "orders.json", steering);
  print.line(`Comments: accepted ${steering.orders.length} of ${ids.length} commands.`);
}

/** The steering commands an earlier step has read; none if the input names no comment. */
export async function readSteering(
  system: Pick<System, "files" | "env">,
  { orders }: Pick<Inputs, "orders">,
): Promise<SteeringComments> {
  return orders ? readHandoff(system, "orders.json") : { orders: [], dropped: [] };
}

/** The context with the last budget command, which overrides the input `budget-usd`. */
export function withBudgetCommand(context: StepContext, { orders }: SteeringComments): StepContext {
  const command = orders.findLast(({ verb }) => verb === "budget");
  if (command?.verb !== "budget") return context;
  return { ...context, inputs: { ...context.inputs, "budget-usd": command.usd } };
}

/** Appends the hints of maintainers to the issue a run plans from. */
export function withHints(facts: GitHubFacts, { orders }: SteeringComments): GitHubFacts {
  const { issue } = facts;
  const hints = orders.filter((order) => order.verb === "hint");
  if (!issue || issue.body.trim() === "" || hints.length === 0) return facts;
  const lines = hints.map(({ by, text }) => `- ${by}: ${text}`);
  const body = [issue.body.trimEnd(), "", "## Hints of maintainers", "", ...lines].join("\n");
  return { ...facts, issue: { ...issue, body } };
}

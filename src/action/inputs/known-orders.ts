import * as z from "zod";
import { SteeringCommand } from "../../core/state/steering-command.ts";
import { RalphError } from "../../error.ts";
import type { GitHub } from "../../github/api/create-github.ts";
import {
  readSteeringComments,
  type SteeringComments,
} from "../../github/issues/read-steering-comments.ts";
import type { Environment, System } from "../../platform/system.ts";
import type { StepContext } from "../step.ts";
import type { Inputs } from "./inputs.ts";
import type { KnownFacts } from "./known-facts.ts";

/** What the step with the token has read for the one without: the orders that stand in comments now. */
const KnownOrders: z.ZodType<SteeringComments> = z.strictObject({
  orders: z.array(SteeringCommand),
  dropped: z.array(z.string()),
});

const folderOf = ({ RUNNER_TEMP }: Environment) => RUNNER_TEMP || "/tmp";
const file = "ralph-known/orders.json";
/** A hundred hints stay far below this. */
const maxBytes = 4 * 1024 * 1024;

type Place = Pick<System, "files" | "env">;

/** Reads the comments this run was told of, and keeps what they say for the next step of the job. */
export async function fetchOrders(
  { system: { files, env }, inputs, print }: StepContext,
  github: GitHub,
): Promise<void> {
  const ids = inputs.orders ?? [];
  if (ids.length === 0) return;
  const read = await readSteeringComments(github, ids);
  await files(folderOf(env)).write(file, `${JSON.stringify(read)}\n`);
  print.line(`Comments: ${read.orders.length} of ${ids.length} are heard.`);
}

/** What the download step has kept; nothing where no comment was named. Callers may trust its form alone. */
export async function readKnownOrders(
  { files, env }: Place,
  { orders }: Pick<Inputs, "orders">,
): Promise<SteeringComments> {
  if (orders === undefined) return { orders: [], dropped: [] };
  const bytes = await files(folderOf(env)).read(file, { maxBytes });
  if (bytes) return KnownOrders.parse(JSON.parse(bytes.toString("utf8")));
  throw new RalphError("config", {
    message: "The comments of the input orders were not read before this step.",
    remedy: "Use action.yml as it is: its steps come one after the other.",
  });
}

/** The step as people want it by now: what was said about money is above what the workflow's file says. */
export function steeredBy(context: StepContext, { orders }: SteeringComments): StepContext {
  const said = orders.findLast(({ verb }) => verb === "budget");
  if (said?.verb !== "budget") return context;
  return { ...context, inputs: { ...context.inputs, "budget-usd": said.usd } };
}

/** Whoever plans from an issue reads what maintainers have added to it, too. */
export function withHints(
  { issue, ...facts }: KnownFacts,
  { orders }: SteeringComments,
): KnownFacts {
  const hints = orders.filter((order) => order.verb === "hint");
  if (!issue || issue.body.trim() === "" || hints.length === 0)
    return { ...facts, ...(issue && { issue }) };
  const lines = hints.map(({ by, text }) => `- ${by}: ${text}`);
  const body = [issue.body.trimEnd(), "", "## Hints of maintainers", "", ...lines].join("\n");
  return { ...facts, issue: { ...issue, body } };
}

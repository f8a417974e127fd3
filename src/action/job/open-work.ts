import { readUserConfig } from "../../git/open/open-repository.ts";
import { gitSettings } from "../../git/repository/environment.ts";
import { readIdentity } from "../../git/repository/private-config.ts";
import type { SteeringComments } from "../../github/issues/read-steering-comments.ts";
import type { System } from "../../platform/system.ts";
import { removeCheckoutToken } from "../checks/checkout-credentials.ts";
import { directoryOf, sessionSystem } from "../inputs/request.ts";
import { readSteering, withBudgetCommand } from "../inputs/steering-comments.ts";
import type { StepContext } from "../step.ts";

/** The work of the run step: where it is done, and the comments that steer it. */
export interface Work {
  /** With the budget of a comment. */
  context: StepContext;
  /** With the keys for agents and an author for commits. */
  system: System;
  directory: string;
  steering: SteeringComments;
}

/** Makes the checkout ready for agents. */
export async function openWork(given: StepContext): Promise<Work> {
  const steering = await readSteering(given.system, given.inputs);
  const context = withBudgetCommand(given, steering);
  const directory = directoryOf(context.inputs, context.system.env);
  // First: afterwards no output of git in this process contains the token.
  await removeCheckoutToken(context, directory);
  const system = await withIdentity(sessionSystem(context.system, context), directory);
  return { context, system, directory, steering };
}

/** The committer of a job without a git identity: GitHub shows these commits as those of its own bot. */
const bot = {
  "user.name": "github-actions[bot]",
  "user.email": "41898282+github-actions[bot]@users.noreply.github.com",
};

/** The system with an identity for git; an identity the workflow configures has precedence. */
export async function withIdentity(system: System, directory: string): Promise<System> {
  const { name, email } = readIdentity(await readUserConfig(system, directory));
  if (name && email) return system;
  // Both are replaced together: a name must not appear with another person's address.
  const first = Number(system.env.GIT_CONFIG_COUNT ?? 0) || 0;
  return { ...system, env: Object.freeze({ ...system.env, ...gitSettings(bot, first) }) };
}

import { type CalledAgent, calledAgents } from "../../agents/call/called-agents.ts";
import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { keyInputs } from "../inputs/keys.ts";

/**
 * On a runner nobody is logged in: a program of our drivers without any credential would only fail later, at the
 * first call. One that the user names by a command brings its own.
 */
export function requireKeys(config: Config, env: Environment): void {
  const locked = calledAgents(config, env).filter((agent) => isOwn(agent) && !hasKey(agent, env));
  if (locked.length === 0) return;
  const names = [...new Set(locked.map(({ driver }) => driver.name))];
  const accepted = keyInputs.filter(({ variable }) =>
    locked.some(({ driver }) => driver.credentials.some(({ names }) => names.includes(variable))),
  );
  const way =
    accepted.length > 0 ? accepted.map(({ input }) => `\`${input}\``) : variablesOf(locked);
  throw new RalphError("config", {
    message: `There is no model key for ${names.join(" and ")}.`,
    remedy: `Store the key as a secret of the repository and hand it over as ${way.join(" or ")}. Workflows of forks and of Dependabot get no secrets: run on a branch of this repository.`,
  });
}

/** A program without an input of its own gets its key by the environment of the job. */
const variablesOf = (agents: readonly CalledAgent[]) =>
  agents
    .flatMap(({ driver }) => driver.credentials.flatMap(({ names }) => names))
    .filter((name) => name.endsWith("_API_KEY"))
    .map((name) => `\`${name}\` in the job's \`env\``);

const isOwn = ({ driver, program }: CalledAgent) =>
  driver.credentials.length > 0 && program[0] === driver.program;

/** Names of places and switches (`…_URL`, `…_DIR`, `…_USE_…`) are no keys, but whoever sets them knows why. */
const hasKey = ({ driver }: CalledAgent, env: Environment) =>
  driver.credentials.some(({ names }) => names.some((name) => Boolean(env[name])));

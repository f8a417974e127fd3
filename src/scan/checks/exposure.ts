import { calledAgents } from "../../agents/call/called-agents.ts";
import { gateEnvironment } from "../../gates/gate-environment.ts";
import { readPathKinds } from "../../platform/fs/path-kinds.ts";
import { secretValues } from "../../platform/secrets/secret-values.ts";
import type { Environment } from "../../platform/system.ts";
import { listHomeSecrets } from "../../sandbox/home-secrets.ts";
import { type Check, pass, warningResult } from "../check.ts";
import { credentialNames } from "./credentials.ts";

/** Lists the secrets that an agent could read, by name only. */
export const exposure: Check = {
  name: "exposure",
  needs: ["config", "repo", "sandbox"],
  run: async (context) => {
    const { config } = await context.config();
    const { env } = context.system;
    const drivers = calledAgents(config, env).map(({ driver }) => driver);
    const names = drivers.flatMap((driver) => credentialNames(driver, env));
    const { agents, gates, sandbox } = config;
    const given = [
      ...givenSecrets("agents", secretNames(pick(env, [...names, ...agents.env, ...sandbox.env]))),
      ...givenSecrets(
        "gates, which run what agents wrote,",
        secretNames(gateEnvironment(env, gates.env)),
      ),
    ];
    if ((await context.sandbox()).kind === "bubblewrap") {
      return pass(given.join("; ") || "agents can read no known secret");
    }
    const open = [...homeSecrets(env.HOME), ...secretNames(env)];
    if (open.length === 0) return pass("no sandbox, and no known secret within reach");
    return warningResult(`Without the sandbox agents can read: ${open.join(", ")}`, {
      remedy:
        "Use the sandbox, or run without these secrets: in CI, in a container, as another user.",
    });
  },
};

const givenSecrets = (who: string, secrets: readonly string[]) =>
  secrets.length > 0 ? [`${who} are given ${secrets.join(", ")}`] : [];

const pick = (env: Environment, names: readonly string[]): Environment =>
  Object.fromEntries(names.map((name) => [name, env[name]]));

/** Set variables whose names look secret. */
const secretNames = (env: Environment) =>
  Object.keys(env).filter((name) => secretValues({ [name]: env[name] }).length > 0);

function homeSecrets(home: string | undefined): string[] {
  if (!home) return [];
  const isThere = (path: string) => Object.values(readPathKinds([path])).flat().length > 0;
  return listHomeSecrets(home)
    .filter(isThere)
    .map((path) => path.replace(home, "~"));
}

import { readUserConfig } from "../../git/open/open-repository.ts";
import { readIdentity } from "../../git/repository/private-config.ts";
import type { System } from "../../platform/system.ts";

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
  const before = Number(system.env.GIT_CONFIG_COUNT ?? 0) || 0;
  const pairs = Object.entries(bot).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  const count = String(before + Object.keys(bot).length);
  const env = { ...system.env, ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: count };
  return { ...system, env: Object.freeze(env) };
}

import { readUserConfig } from "../../git/open/open-repository.ts";
import { readIdentity } from "../../git/repository/private-config.ts";
import type { System } from "../../platform/system.ts";

/** Who commits in a job where nobody is configured: GitHub shows these commits as those of its own bot. */
const bot = {
  "user.name": "github-actions[bot]",
  "user.email": "41898282+github-actions[bot]@users.noreply.github.com",
};

/** The same system, in which git knows whose commits these are; what the workflow has configured stays. */
export async function withIdentity(system: System, directory: string): Promise<System> {
  const { name, email } = readIdentity(await readUserConfig(system, directory));
  if (name && email) return system;
  // Half an identity would put one person's name to another one's address.
  const before = Number(system.env.GIT_CONFIG_COUNT ?? 0) || 0;
  const pairs = Object.entries(bot).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  const count = String(before + Object.keys(bot).length);
  const env = { ...system.env, ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: count };
  return { ...system, env: Object.freeze(env) };
}

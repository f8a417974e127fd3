import { readUserConfig } from "../../git/open/open-repository.ts";
import { gitSettings } from "../../git/repository/environment.ts";
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
  const first = Number(system.env.GIT_CONFIG_COUNT ?? 0) || 0;
  return { ...system, env: Object.freeze({ ...system.env, ...gitSettings(bot, first) }) };
}

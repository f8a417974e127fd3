import { RalphError } from "../../error.ts";
import { isAtLeast, readGitVersion } from "../../git/repository/locate-repository.ts";
import type { System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";

/** The first git version that merges without a work tree. */
const needed = { major: 2, minor: 38 };

/** Fails before anything is spent (exit 1) when tasks are to run in parallel and git is too old to merge them. */
export async function checkParallel(
  system: Pick<System, "ask" | "env">,
  { limits }: Pick<Config, "limits">,
): Promise<void> {
  if (limits.parallel === 1) return;
  const version = await readGitVersion(system);
  if (isAtLeast(version, needed)) return;
  throw new RalphError("config", {
    message: `Parallel tasks need git ${needed.major}.${needed.minor} or newer; this is ${version.major}.${version.minor}.`,
    remedy: "Install a current git, or leave --parallel and `limits.parallel` at 1.",
  });
}

import { createHash } from "node:crypto";
import { join } from "node:path/posix";
import { RalphError } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import type { System } from "../../platform/system.ts";
import type { SetupStep } from "../../schema/config/gates.ts";

type SetupPlace = {
  system: Pick<System, "files">;
  repo: Pick<Repository, "worktree" | "prefix">;
  journal: { state: { headTree: string } };
};

/**
 * Identifies a setup step's result by its command and its `cache` files, or the whole tree without them. A file may be
 * above the project, as the lockfile of a workspace is; one outside of the repository is exit 1.
 */
export async function setupKey(
  { system, repo, journal }: SetupPlace,
  step: Pick<SetupStep, "name" | "cmd" | "cache">,
): Promise<string> {
  const files = system.files(repo.worktree);
  const contents = await Promise.all(
    step.cache.map((path) => files.read(insideOf(repo, path, step.name))),
  );
  const hash = createHash("sha256").update(JSON.stringify([step.name, step.cmd]));
  if (step.cache.length === 0) hash.update(journal.state.headTree);
  for (const content of contents) hash.update("\0").update(content ?? "");
  return hash.digest("hex");
}

function insideOf({ prefix }: SetupPlace["repo"], path: string, step: string): string {
  const inside = join(prefix, path);
  if (!inside.startsWith("../")) return inside;
  throw new RalphError("config", {
    message: `The setup step ${step} names ${path} in its cache list, and that is outside the repository.`,
    remedy: "Name files of the repository in `cache`.",
  });
}

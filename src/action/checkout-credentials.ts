import { locateRepository } from "../git/locate-repository.ts";
import type { System } from "../system/system.ts";

/**
 * Removes the token that actions/checkout leaves for later steps (T18): the header in the repository's own
 * configuration (up to version 5), and the file below RUNNER_TEMP it includes (from version 6 on). Answers where
 * one was found.
 */
export async function removeCheckoutCredentials(
  system: Pick<System, "ask" | "env" | "files">,
  directory: string,
): Promise<string[]> {
  const { gitDir, worktree } = await locateRepository(system, directory);
  const found = await listCredentials(system, { gitDir, worktree });
  for (const { file, key } of found) {
    await system.ask({
      file: "git",
      args: ["config", "--file", file, "--unset-all", key],
      cwd: worktree,
      env: { PATH: system.env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
    });
  }
  return [...new Set(found.map(({ file }) => file))];
}

type Found = { file: string; key: string };

async function listCredentials(
  { ask, env }: Pick<System, "ask" | "env">,
  { gitDir, worktree }: { gitDir: string; worktree: string },
): Promise<Found[]> {
  const args = ["config", "--list", "--show-origin", "--includes", "--local", "--null"];
  const clean = { PATH: env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  const { stdout } = await ask({ file: "git", args, cwd: worktree, env: clean });
  const fields = stdout.toString().split("\0");
  const entries = fields.flatMap((origin, index) => {
    const [key = ""] = (fields[index + 1] ?? "").split("\n");
    return index % 2 === 0 && isCredential(key) ? [{ file: pathOf(origin, worktree), key }] : [];
  });
  // A file of the user's own, outside the repository and the job, is not ours to change.
  return entries.filter(
    ({ file }) => file.startsWith(`${gitDir}/`) || isBelow(file, env.RUNNER_TEMP),
  );
}

const isCredential = (key: string) => /^http\..+\.extraheader$/i.test(key);

const isBelow = (file: string, folder: string | undefined) =>
  Boolean(folder) && file.startsWith(`${folder}/`);

function pathOf(origin: string, worktree: string): string {
  const path = origin.replace(/^file:/, "");
  return path.startsWith("/") ? path : `${worktree}/${path}`;
}

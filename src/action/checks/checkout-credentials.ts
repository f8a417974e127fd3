import { RalphError } from "../../error.ts";
import { locateRepository } from "../../git/repository/locate-repository.ts";
import type { System } from "../../platform/system.ts";
import { listSubmoduleConfigs } from "./submodule-configs.ts";

type Place = Pick<System, "ask" | "env" | "files">;

/**
 * Removes the token that actions/checkout leaves for later steps (T18): the header in the configuration of the
 * repository and of each submodule (up to version 5), and the file below RUNNER_TEMP they include (from version 6
 * on). Answers where one was found; a job in which one stays does not go on.
 */
export async function removeCheckoutCredentials(
  system: Place,
  directory: string,
): Promise<string[]> {
  const { commonDir, worktree } = await locateRepository(system, directory);
  const place = { commonDir, worktree };
  const found = await listCredentials(system, place);
  for (const { file, key } of found) {
    await askConfig(system, worktree, ["--file", file, "--unset-all", key]);
  }
  const [left] = found.length > 0 ? await listCredentials(system, place) : [];
  if (left) throw stays(left.file);
  return [...new Set(found.map(({ file }) => file))];
}

type Found = { file: string; key: string };

async function listCredentials(
  system: Place,
  { commonDir, worktree }: { commonDir: string; worktree: string },
): Promise<Found[]> {
  const { RUNNER_TEMP: temporary } = system.env;
  const submodules = await listSubmoduleConfigs(system.files(commonDir));
  const names = temporary ? await system.files(temporary).list(".") : [];
  const files = [
    ...submodules.map((path) => `${commonDir}/${path}`),
    ...names.filter(isCredentialFile).map((name) => `${temporary}/${name}`),
  ];
  const lists = [
    ["--local", "--includes"],
    ...files.map((file) => ["--file", file, "--no-includes"]),
  ].map((which) => listHeaders(system, worktree, which));
  // A file of the user's own, outside the repository and the job, is not ours to change.
  const own = (await Promise.all(lists))
    .flat()
    .filter(({ file }) => [commonDir, temporary].some((folder) => isBelow(file, folder)));
  return [...new Map(own.map((entry) => [`${entry.file}\0${entry.key}`, entry])).values()];
}

/** As version 6 of actions/checkout names them; they are there for whoever looks, included or not. */
const isCredentialFile = (name: string) => /^git-credentials-.+\.config$/.test(name);

async function listHeaders(system: Place, worktree: string, which: readonly string[]) {
  // Only names: a value that is never read cannot be read in our memory.
  const args = [...which, "--list", "--name-only", "--show-origin", "--null"];
  const { stdout } = await askConfig(system, worktree, args);
  const fields = stdout.toString().split("\0");
  return fields.flatMap((origin, index): Found[] => {
    const [key = ""] = (fields[index + 1] ?? "").split("\n");
    return index % 2 === 0 && isCredential(key) ? [{ file: pathOf(origin, worktree), key }] : [];
  });
}

const askConfig = ({ ask, env }: Place, cwd: string, args: readonly string[]) =>
  ask({
    file: "git",
    args: ["config", ...args],
    cwd,
    env: { PATH: env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
  });

const isCredential = (key: string) => /^http\.(?:.+\.)?extraheader$/i.test(key);

const isBelow = (file: string, folder: string | undefined) =>
  Boolean(folder) && file.startsWith(`${folder}/`);

function pathOf(origin: string, worktree: string): string {
  const path = origin.replace(/^file:/, "");
  return path.startsWith("/") ? path : `${worktree}/${path}`;
}

const stays = (file: string) =>
  new RalphError("config", {
    message: `The token actions/checkout left in ${file} could not be removed; agents could read it.`,
    remedy: "Set `persist-credentials: false` on the checkout.",
  });

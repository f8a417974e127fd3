import { resolve } from "node:path/posix";
import { RalphError } from "../../error.ts";
import { locateRepository } from "../../git/repository/locate-repository.ts";
import type { ReadFiles, System } from "../../platform/system.ts";
import { workflowCommand } from "../../views/job/workflow-command.ts";
import type { StepContext } from "../step.ts";

/** Removes the checkout's token before code of an agent may run there, and logs a warning for each file. */
export async function removeCheckoutToken(
  { system, print }: StepContext,
  directory: string,
): Promise<void> {
  for (const file of await removeCheckoutCredentials(system, directory)) {
    const text = `Removed the token that actions/checkout left in ${file}: agents could have read it. Set persist-credentials: false on the checkout.`;
    print.command(workflowCommand("warning", text, { title: "ralph" }));
  }
}

type GitSystem = Pick<System, "ask" | "env" | "files">;

/**
 * Removes the token that actions/checkout leaves for later steps (T18): the header in the configuration of the
 * repository and of each submodule (up to version 5), and the file below RUNNER_TEMP they include (from version 6
 * on). Returns the changed files; the job stops if a token remains.
 */
export async function removeCheckoutCredentials(
  system: GitSystem,
  directory: string,
): Promise<string[]> {
  const { commonDir, worktree } = await locateRepository(system, directory);
  const repository = { commonDir, worktree };
  const found = await listCredentials(system, repository);
  for (const { file, key } of found) {
    await askConfig(system, worktree, ["--file", file, "--unset-all", key]);
  }
  const [left] = found.length > 0 ? await listCredentials(system, repository) : [];
  if (!left) return [...new Set(found.map(({ file }) => file))];
  throw new RalphError("config", {
    message: `ralph could not remove the token that actions/checkout left in ${left.file}; agents could read it.`,
    remedy: "Set `persist-credentials: false` on the checkout.",
  });
}

type Credential = { file: string; key: string };

async function listCredentials(
  system: GitSystem,
  { commonDir, worktree }: { commonDir: string; worktree: string },
): Promise<Credential[]> {
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
  // Files outside the repository and the job belong to the user.
  const own = (await Promise.all(lists))
    .flat()
    .filter(({ file }) => [commonDir, temporary].some((folder) => isBelow(file, folder)));
  return [...new Map(own.map((entry) => [`${entry.file}\0${entry.key}`, entry])).values()];
}

/** As version 6 of actions/checkout names them; agents could read them even where no configuration includes them. */
const isCredentialFile = (name: string) => /^git-credentials-.+\.config$/.test(name);

async function listHeaders(system: GitSystem, worktree: string, which: readonly string[]) {
  // Only names: this process never holds the token.
  const args = [...which, "--list", "--name-only", "--show-origin", "--null"];
  const { exitCode, stdout, stderr } = await askConfig(system, worktree, args);
  if (exitCode !== 0) {
    throw new RalphError("config", {
      message: `git could not list the settings of ${worktree}, where actions/checkout may have left a token: ${stderr.trim()}`,
      remedy:
        "Set `persist-credentials: false` on the checkout, and correct the problem git names.",
    });
  }
  const fields = stdout.toString().split("\0");
  return fields.flatMap((origin, index): Credential[] => {
    const [key = ""] = (fields[index + 1] ?? "").split("\n");
    const isCredential = index % 2 === 0 && /^http\.(?:.+\.)?extraheader$/i.test(key);
    return isCredential ? [{ file: resolve(worktree, origin.replace(/^file:/, "")), key }] : [];
  });
}

/** The checkout may belong to another user, as in a container; the user's own git has accepted it before. */
const askConfig = ({ ask, env }: GitSystem, cwd: string, args: readonly string[]) =>
  ask({
    file: "git",
    args: ["-c", "safe.directory=*", "config", ...args],
    cwd,
    env: { PATH: env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
  });

const isBelow = (file: string, folder: string | undefined) =>
  Boolean(folder) && file.startsWith(`${folder}/`);

/** Submodules nest no deeper; each slash in a name is a folder, too. */
const maxDepth = 12;

/** The configuration files of all submodules of a git directory, nested ones included. */
export async function listSubmoduleConfigs(
  files: Pick<ReadFiles, "stat" | "list">,
  folder = "modules",
  depth = 0,
): Promise<string[]> {
  if (depth > maxDepth || (await files.stat(folder))?.kind !== "folder") return [];
  const config = `${folder}/config`;
  if ((await files.stat(config))?.kind === "file") {
    return [config, ...(await listSubmoduleConfigs(files, `${folder}/modules`, depth + 1))];
  }
  const names = await files.list(folder);
  const below = names.map((name) => listSubmoduleConfigs(files, `${folder}/${name}`, depth + 1));
  return (await Promise.all(below)).flat();
}

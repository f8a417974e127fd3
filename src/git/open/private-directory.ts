import { basename, dirname, join, resolve } from "node:path/posix";
import { RalphError } from "../../error.ts";
import type { Environment, System } from "../../platform/system.ts";
import {
  type GitVersion,
  isAtLeast,
  type RepositoryPaths,
} from "../repository/locate-repository.ts";
import { type GitConfig, renderPrivateConfig } from "../repository/private-config.ts";
import { withSessionLines } from "../worktree/session-exclude.ts";

type Plan = {
  system: Pick<System, "ask" | "files" | "env">;
  paths: RepositoryPaths;
  privateDir: string;
  config: GitConfig;
  version: GitVersion;
};

/** Larger than any hand-written list of patterns. */
const maxRuleBytes = 4 * 1024 * 1024;

/** Writes the private git directory except for HEAD, with links to objects and refs (design 5). Safe to repeat. */
export async function writePrivateDirectory(plan: Plan): Promise<void> {
  await makeFolders(plan);
  await Promise.all([shareObjects(plan), writeConfig(plan), writeInfo(plan)]);
}

async function makeFolders({ system, paths, privateDir }: Plan): Promise<void> {
  // git cannot create folders through a dangling link.
  await system.files(paths.commonDir).makeFolder("logs/refs");
  const files = system.files(privateDir);
  await files.makeFolder("info");
  await files.makeFolder("logs");
}

/** The index is copied with its time stamp, by which git recognizes files changed in the same instant. */
const shareScript = `own=$1 common=$2; shift 2
ln -sf "$common/objects" "$common/refs" "$common/packed-refs" "$common/shallow" "$own/"
ln -sf "$common/logs/refs" "$own/logs/"
[ $# = 0 ] || cp -p -- "$@" "$own/"`;

async function shareObjects({ system, paths, privateDir }: Plan): Promise<void> {
  const { gitDir, commonDir, worktree } = paths;
  const names = await system.files(gitDir).list("");
  const parts = names.filter((name) => name === "index" || name.startsWith("sharedindex."));
  const values = [privateDir, commonDir, ...parts.map((name) => join(gitDir, name))];
  const { exitCode, stderr } = await system.ask({
    file: "sh",
    args: ["-ec", shareScript, "sh", ...values],
    cwd: worktree,
    env: { PATH: system.env.PATH, LC_ALL: "C" },
  });
  if (exitCode === 0) return;
  throw new RalphError("git", {
    message: `The private git directory could not be made: ${stderr.trim()}`,
    remedy: `Make sure ${privateDir} is writable and supports symbolic links.`,
  });
}

async function writeConfig({ system, privateDir, config, version }: Plan): Promise<void> {
  const text = renderPrivateConfig(config, {
    excludesFile: join(privateDir, "info/user-exclude"),
    attributesFile: join(privateDir, "info/user-attributes"),
    hasFsyncComponents: isAtLeast(version, { major: 2, minor: 36 }),
  });
  await system.files(privateDir).write("config", text);
}

async function writeInfo(plan: Plan): Promise<void> {
  const { paths, config } = plan;
  const { env } = plan.system;
  const info = plan.system.files(join(plan.privateDir, "info"));
  const [exclude, attributes, sparse, userExclude, userAttributes] = await Promise.all(
    [
      join(paths.commonDir, "info/exclude"),
      join(paths.commonDir, "info/attributes"),
      join(paths.gitDir, "info/sparse-checkout"),
      expandHome(config.get("core.excludesfile"), env) ?? defaultRules(env, "ignore"),
      expandHome(config.get("core.attributesfile"), env) ?? defaultRules(env, "attributes"),
    ].map((path) => (path === undefined ? "" : readRules(plan, path))),
  );
  await info.write("exclude", withSessionLines(String(exclude), paths.prefix));
  await info.write("attributes", attributes ?? "");
  await info.write("sparse-checkout", sparse ?? "");
  await info.write("user-exclude", userExclude ?? "");
  await info.write("user-attributes", userAttributes ?? "");
}

/** The content of the user's rule file, often a link to dotfiles; empty when it is not a file. */
async function readRules(plan: Plan, path: string): Promise<Buffer | string> {
  const absolute = resolve(plan.paths.worktree, path);
  const folder = plan.system.files(dirname(absolute));
  const kind = (await folder.stat(basename(absolute)))?.kind;
  if (kind === "file") return readFile(plan, absolute);
  return kind === "link" ? readFile(plan, await followLink(plan, absolute)) : "";
}

async function readFile({ system }: Plan, path: string): Promise<Buffer | string> {
  const options = { maxBytes: maxRuleBytes };
  return (await system.files(dirname(path)).read(basename(path), options)) ?? "";
}

async function followLink({ system, paths }: Plan, path: string): Promise<string> {
  const { ask, env } = system;
  const cwd = paths.worktree;
  const { stdout } = await ask({ file: "readlink", args: ["-f", "--", path], cwd, env });
  return stdout.toString().replace(/\n$/, "");
}

const expandHome = (path: string | undefined, env: Environment): string | undefined =>
  path?.startsWith("~/") ? `${env.HOME ?? ""}${path.slice(1)}` : path;

function defaultRules(env: Environment, name: string): string | undefined {
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, "git", name);
  return env.HOME ? join(env.HOME, ".config/git", name) : undefined;
}

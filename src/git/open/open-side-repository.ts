import { basename, dirname, join } from "node:path/posix";
import type { System } from "../../platform/system.ts";
import { privateEnvironment } from "../repository/environment.ts";
import { locateRepository, readGitVersion } from "../repository/locate-repository.ts";
import type { Repository } from "../repository/repository.ts";
import { readUserConfig } from "./open-repository.ts";
import { writePrivateDirectory } from "./private-directory.ts";

/** A repository for reading while a session may be running; its private directory is removed on disposal. */
export type SideRepository = Repository & AsyncDisposable;

/**
 * Opens the repository a second time, with a separate private directory: it changes nothing a running session needs, no
 * branch has to exist, and HEAD may be detached. Objects read from a pack (`readPack`) exist only until disposal.
 * `privateDir` must not exist yet; its parent must.
 */
export async function openSideRepository(
  system: Pick<System, "ask" | "files" | "clock" | "env">,
  { directory, privateDir }: { directory: string; privateDir: string },
): Promise<SideRepository> {
  const paths = await locateRepository(system, directory);
  const [version, config] = await Promise.all([
    readGitVersion(system),
    readUserConfig(system, paths.worktree),
  ]);
  const parent = system.files(dirname(privateDir));
  await parent.makeFolder(`${basename(privateDir)}/own-objects`);
  await writePrivateDirectory({ system, paths, privateDir, config, version });
  await system.files(privateDir).write("HEAD", "ref: refs/heads/none\n");
  const { worktree } = paths;
  const env = privateEnvironment({ path: system.env.PATH, privateDir, worktree, identity: {} });
  const objects = {
    GIT_OBJECT_DIRECTORY: join(privateDir, "own-objects"),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(paths.commonDir, "objects"),
  };
  return {
    system,
    ...paths,
    privateDir,
    env: { ...env, ...objects },
    usesFilters: false,
    [Symbol.asyncDispose]: () => parent.remove(basename(privateDir)),
  };
}

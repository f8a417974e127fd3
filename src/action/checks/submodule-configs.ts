import type { ReadFiles } from "../../platform/system.ts";

/** Deeper than anybody nests submodules; a name may have slashes, and each is a folder. */
const maxDepth = 12;

/** The configuration files of all submodules of a git directory, also of those inside of others. */
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

import { nodeGates } from "./node-gates.ts";
import { type PackageJson, readPackageJson, readWorkspaces } from "./package-json.ts";
import { choosePackageManager, type PackageManager } from "./package-manager.ts";
import { commandIn, nameIn, type Part, type PartLocation, pathIn } from "./part.ts";
import { listNames, readTextFile } from "./read-optional.ts";

/** A Node package with its scripts; for the root of a workspace, also the scripts of its packages. */
export async function readNodePart(location: PartLocation): Promise<Part | undefined> {
  const { files, folder, above } = location;
  const path = pathIn(folder, "package.json");
  const manifest = await readPackageJson(files, path);
  if (manifest === undefined) return undefined;
  if (manifest === "broken") return brokenPart(folder, path);
  const names = await listNames(files, folder);
  const yarnLock = await readTextFile(files, pathIn(folder, "yarn.lock"));
  const manager = choosePackageManager(manifest, { names: [...names, ...above], yarnLock });
  const packages = folder === "" ? await readWorkspaces(files, manifest) : noPackages;
  const gates = await nodeGates(location, { manifest, manager, packages: [...packages.values()] });
  const kind = packages.size > 0 ? `a workspace of ${packages.size} packages` : manager.name;
  return {
    stack: "node",
    folder,
    title: `Node (${path}, ${kind})`,
    ...(manifest.name && { project: manifest.name }),
    packages: [...packages.keys()],
    setup: setupOf(location, { manifest, manager, isWorkspace: packages.size > 0 }),
    testPaths: testPathsOf(folder !== "" || packages.size > 0, names),
    ignores: manager.ignores,
    testExample: commandIn(folder, manager.run("test")),
    dependencies: [manifest, ...packages.values()].flatMap(({ dependencies }) => dependencies),
    tools: manager.tools,
    ...gates,
  };
}

const noPackages: ReadonlyMap<string, PackageJson> = new Map();

/** No setup step for a package without dependencies. */
function setupOf(
  { folder, above }: PartLocation,
  {
    manifest,
    manager,
    isWorkspace,
  }: { manifest: PackageJson; manager: PackageManager; isWorkspace: boolean },
) {
  const { lockfile, install } = manager;
  const isNeeded = lockfile !== undefined || isWorkspace || manifest.dependencies.length > 0;
  if (!isNeeded) return [];
  const isAbove = lockfile !== undefined && above.includes(lockfile);
  const decisive = lockfile === undefined || isAbove ? "package.json" : lockfile;
  const cache = [pathIn(folder, decisive)];
  return [{ name: nameIn(folder, "node-packages"), cmd: commandIn(folder, install), cache }];
}

const endToEnd = ["cypress", "e2e", "playwright"];

function testPathsOf(isDeep: boolean, names: readonly string[]): string[] {
  const folders = isDeep ? ["**/tests/**", "**/test/**"] : ["tests/**", "test/**"];
  const more = endToEnd.filter((name) => names.includes(name)).map((name) => `**/${name}/**`);
  return [...folders, "**/__tests__/**", "**/*.test.*", "**/*.spec.*", ...more];
}

function brokenPart(folder: string, path: string): Part {
  const remarks = [
    `${path} cannot be read as JSON, so its scripts are unknown. Correct it, then run \`ralph init --force\`.`,
  ];
  return {
    ...{ stack: "node", folder, title: `Node (${path})`, remarks },
    ...{ setup: [], gates: [], dependencies: [], tools: [] },
    testExample: commandIn(folder, "npm test"),
    testPaths: testPathsOf(folder !== "", []),
    ignores: ["node_modules/"],
  };
}

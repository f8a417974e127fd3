import { nodeGates } from "./node-gates.ts";
import {
  findWorkspace,
  type PackageJson,
  readPackageJson,
  readWorkspaces,
  type Workspace,
} from "./package-json.ts";
import { choosePackageManager, type PackageManager } from "./package-manager.ts";
import { commandIn, nameIn, type Part, type PartLocation, pathIn } from "./part.ts";
import { listNames, readTextFile } from "./read-optional.ts";

/** A Node package, or the root of a workspace. A package of a workspace is installed at the workspace's root. */
export async function readNodePart(location: PartLocation): Promise<Part | undefined> {
  const { files, folder } = location;
  const path = pathIn(folder, "package.json");
  const manifest = await readPackageJson(files, path);
  if (manifest === undefined) return undefined;
  if (manifest === "broken") return brokenPart(folder, path);
  const names = await listNames(files, folder);
  const workspace = await findWorkspace(location);
  const manager = await readManager(
    workspace?.location ?? location,
    workspace?.manifest ?? manifest,
  );
  const packages = folder === "" ? await readWorkspaces(files, manifest) : noPackages;
  const gates = await nodeGates(location, {
    manifest,
    manager,
    packages: [...packages.values()],
    workspace,
  });
  const own = packages.size > 0 ? `a workspace of ${packages.size} packages` : manager.name;
  const kind = workspace ? `${manager.name}, a package of the workspace ${workspace.path}` : own;
  return {
    stack: "node",
    folder,
    title: `Node (${path}, ${kind})`,
    ...(manifest.name && { project: manifest.name }),
    packages: [...packages.keys()],
    setup: setupOf(location, { manifest, manager, isWorkspace: packages.size > 0, workspace }),
    testPaths: testPathsOf(folder !== "" || packages.size > 0, names),
    ignores: manager.ignores,
    // Shown only when no script runs tests, so it names none.
    testExample: commandIn(folder, "node --test"),
    dependencies: [manifest, ...packages.values()].flatMap(({ dependencies }) => dependencies),
    tools: manager.tools,
    ...gates,
  };
}

async function readManager({ files, folder }: PartLocation, manifest: PackageJson) {
  const names = await listNames(files, folder);
  const yarnLock = await readTextFile(files, pathIn(folder, "yarn.lock"));
  return choosePackageManager(manifest, { names, yarnLock });
}

const noPackages: ReadonlyMap<string, PackageJson> = new Map();

type Installed = {
  manifest: PackageJson;
  manager: PackageManager;
  isWorkspace: boolean;
  workspace: Workspace | undefined;
};

/** No setup step for a package without dependencies. */
function setupOf({ folder }: PartLocation, given: Installed) {
  const { manifest, manager, isWorkspace, workspace } = given;
  const { lockfile, install } = manager;
  const isNeeded =
    lockfile !== undefined || isWorkspace || workspace || manifest.dependencies.length > 0;
  if (!isNeeded) return [];
  const where = workspace?.path ?? folder;
  const manifests = workspace ? ["package.json"] : [];
  const cache =
    lockfile === undefined
      ? [...manifests, pathIn(where, "package.json")]
      : [pathIn(where, lockfile)];
  return [{ name: nameIn(folder, "node-packages"), cmd: commandIn(where, install), cache }];
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

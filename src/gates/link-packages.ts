import type { Files, System } from "../platform/system.ts";

export interface TwoFolders {
  /** Project roots: the work tree, where packages are installed, and the checkout, where they are missing. */
  from: string;
  to: string;
  /** Files of the checkout, relative to its root. */
  paths: readonly string[];
}

const maxFolders = 100;

/**
 * Makes installed Node packages available in a temporary checkout: a link `node_modules` next to each manifest. Nothing
 * else is linked: virtual environments, Composer's `vendor` and workspace packages point back to the sources of the work
 * tree, so a gate would judge the wrong files, and a build folder would mix two trees. Those need a `setup` step that
 * installs into the checkout. Returns the links.
 */
export async function linkPackages(
  system: Pick<System, "ask" | "files" | "env">,
  { from, to, paths }: TwoFolders,
): Promise<string[]> {
  const checkout = system.files(to);
  if (await isWorkspace(checkout, paths)) return [];
  const links: string[] = [];
  for (const path of packageFolders(paths)) {
    const isInstalled = (await system.files(from).stat(path))?.kind === "folder";
    if (!isInstalled || (await checkout.stat(path))) continue;
    const args = ["-s", `${from}/${path}`, `${to}/${path}`];
    const { exitCode } = await system.ask({ file: "ln", args, cwd: to, env: system.env });
    if (exitCode === 0) links.push(path);
  }
  return links;
}

/** Where packages are installed: beside each manifest. */
export function packageFolders(paths: readonly string[]): string[] {
  return paths
    .filter((path) => /^(?:.*\/)?package\.json$/.test(path))
    .slice(0, maxFolders)
    .map((path) => `${path.slice(0, -"package.json".length)}node_modules`);
}

/** Any mention of a workspace counts: without links a gate may fail to start, with wrong links its result is wrong. */
async function isWorkspace(checkout: Files, paths: readonly string[]): Promise<boolean> {
  if (paths.includes("pnpm-workspace.yaml") || paths.includes("lerna.json")) return true;
  const manifest = paths.includes("package.json") && (await checkout.read("package.json"));
  return manifest ? manifest.includes('"workspaces"') : false;
}

import { matchesGlob, relative } from "node:path/posix";
import { type PackageJson, readPackageJson, workspacePatterns } from "./package-json.ts";
import type { PartLocation } from "./part.ts";

/** The root of the npm, pnpm, yarn or bun workspace of a package: its packages are installed there. */
export type Workspace = {
  location: PartLocation;
  /** Relative to the project, such as `../..`. */
  path: string;
  manifest: PackageJson;
};

/** The nearest workspace above the project that lists it as a package. */
export async function findWorkspace({
  files,
  above,
}: PartLocation): Promise<Workspace | undefined> {
  for (const upper of above) {
    const manifest = await readPackageJson(upper, "package.json");
    if (manifest === undefined || manifest === "broken") continue;
    const patterns = await workspacePatterns(upper, manifest);
    if (!lists(patterns, relative(upper.root, files.root))) continue;
    const location = { files: upper, folder: "", above: [] };
    return { location, path: relative(files.root, upper.root), manifest };
  }
  return undefined;
}

/** Whether a package's folder matches a pattern, and none that begins with `!`. */
function lists(patterns: readonly string[], folder: string): boolean {
  const plain = patterns.map((pattern) => pattern.replace(/^(!?)(?:\.\/)+|\/+$/g, "$1"));
  const matches = (pattern: string) => matchesGlob(folder, pattern.replace(/^!/, ""));
  const decisive = plain.filter(matches);
  return decisive.length > 0 && decisive.every((pattern) => !pattern.startsWith("!"));
}

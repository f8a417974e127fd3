import type { ReadFiles } from "../../platform/system.ts";
import { listNames } from "./list-names.ts";
import { type PackageJson, readPackageJson } from "./package-json.ts";
import { readTextFile } from "./read-text.ts";

const maxPackages = 200;

/** Packages of a workspace, by folder. Of patterns only `folder` and `folder/*` are followed, as nearly all are. */
export async function readWorkspaces(
  files: ReadFiles,
  manifest: PackageJson,
): Promise<Map<string, PackageJson>> {
  const patterns = [...manifest.workspaces, ...(await pnpmPatterns(files))];
  const folders = await Promise.all(patterns.map((pattern) => expand(files, pattern)));
  const packages = new Map<string, PackageJson>();
  for (const folder of folders.flat().slice(0, maxPackages)) {
    const member = await readPackageJson(files, `${folder}/package.json`);
    if (member && member !== "broken") packages.set(folder, member);
  }
  return packages;
}

async function expand(files: ReadFiles, pattern: string): Promise<string[]> {
  const plain = pattern.replace(/^\.\//, "").replace(/\/$/, "");
  const [, parent] = /^([^*?!{}[\]]+)\/\*{1,2}$/.exec(plain) ?? [];
  if (parent === undefined) return /[*?!{}[\]]|^\/|\.\./.test(plain) || plain === "" ? [] : [plain];
  if (parent.startsWith("/") || parent.includes("..")) return [];
  return (await listNames(files, parent)).map((name) => `${parent}/${name}`);
}

/** The list `packages:` of pnpm-workspace.yaml. */
async function pnpmPatterns(files: ReadFiles): Promise<string[]> {
  const text = await readTextFile(files, "pnpm-workspace.yaml");
  const [, list = ""] = /^packages:\s*\n((?:[ \t]*(?:-|#).*\n?|[ \t]*\n)*)/m.exec(text ?? "") ?? [];
  return [...list.matchAll(/^\s*-\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/gm)].flatMap(
    ([, pattern]) => pattern ?? [],
  );
}

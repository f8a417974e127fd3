import { matchesGlob, relative } from "node:path/posix";
import type { ReadFiles } from "../../platform/system.ts";
import { isRecord } from "../../schema/base/is-record.ts";
import type { PartLocation } from "./part.ts";
import { listNames, readTextFile } from "./read-optional.ts";

/** The parts of a package.json that detection uses. */
export type PackageJson = {
  name?: string;
  /** `pnpm@9.1.0`, as corepack reads it. */
  packageManager?: string;
  scripts: Readonly<Record<string, string>>;
  dependencies: string[];
  workspaces: string[];
};

/** Undefined when the file is missing; `broken` when it is not a JSON object. */
export async function readPackageJson(
  files: ReadFiles,
  path: string,
): Promise<PackageJson | "broken" | undefined> {
  const text = await readTextFile(files, path);
  return text === undefined ? undefined : (parsePackageJson(text) ?? "broken");
}

function parsePackageJson(text: string): PackageJson | undefined {
  const manifest = membersOf(parse(text));
  if (!manifest) return undefined;
  const { name, packageManager, workspaces } = manifest;
  const lists = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
  return {
    ...(typeof name === "string" && name !== "" && { name }),
    ...(typeof packageManager === "string" && { packageManager }),
    scripts: textsOf(membersOf(manifest.scripts) ?? {}),
    dependencies: lists.flatMap((key) => Object.keys(membersOf(manifest[key]) ?? {})),
    workspaces: strings(Array.isArray(workspaces) ? workspaces : membersOf(workspaces)?.packages),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const membersOf = (value: unknown) => (isRecord(value) ? value : undefined);

const textsOf = (members: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(members).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((member) => typeof member === "string") : [];

/** The globs that name a workspace's packages; empty for any other package. */
const workspacePatterns = async (
  files: ReadFiles,
  { workspaces }: PackageJson,
): Promise<string[]> => [...workspaces, ...(await pnpmPatterns(files))];

const maxPackages = 200;

/** Packages of a workspace, by folder. Only supports the patterns `folder` and `folder/*`. */
export async function readWorkspaces(
  files: ReadFiles,
  manifest: PackageJson,
): Promise<Map<string, PackageJson>> {
  const patterns = await workspacePatterns(files, manifest);
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

import type { ReadFiles } from "../../platform/system.ts";
import { readTextFile } from "./read-text.ts";

/** The parts of a package.json that tell what a project can run. */
export type PackageJson = {
  name?: string;
  /** `pnpm@9.1.0`, as corepack reads it. */
  packageManager?: string;
  scripts: Readonly<Record<string, string>>;
  dependencies: string[];
  workspaces: string[];
};

/** Undefined when there is none; `broken` when it is no JSON object. */
export async function readPackageJson(
  files: ReadFiles,
  path: string,
): Promise<PackageJson | "broken" | undefined> {
  const text = await readTextFile(files, path);
  return text === undefined ? undefined : (parsePackageJson(text) ?? "broken");
}

export function parsePackageJson(text: string): PackageJson | undefined {
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

function membersOf(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? Object.fromEntries(Object.entries(value)) : undefined;
}

const textsOf = (members: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(members).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((member) => typeof member === "string") : [];

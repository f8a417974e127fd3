import type { Files } from "../system/system.ts";
import { type Place, pathIn } from "./part.ts";
import { readText } from "./read-text.ts";

/** What the files of a Python project say, as far as it decides what can be run. */
export type PythonManifest = {
  /** The files that were there, main one first. */
  found: string[];
  names: readonly string[];
  project?: string;
  /** Whether the text of a requirement for this package stands anywhere. */
  requires: (name: string) => boolean;
  /** Whether `[tool.NAME]` stands in pyproject.toml, or another file that configures it exists. */
  configures: (name: string) => boolean;
  hasTable: (name: string) => boolean;
  /** Names of optional dependency groups (`extras`). */
  extras: string[];
  requirementFiles: string[];
};

const mainFiles = ["pyproject.toml", "setup.py"];
/** What makes a Python project where there is neither: scripts with their dependencies. */
const lesserFiles = ["Pipfile", "requirements.txt"];

const settingFiles: Readonly<Record<string, readonly string[]>> = {
  ruff: ["ruff.toml", ".ruff.toml"],
  mypy: ["mypy.ini", ".mypy.ini"],
  pytest: ["pytest.ini", "conftest.py"],
};

/** Undefined where nothing says that this is a Python project (compatibility 1.18). */
export async function readPythonManifest({
  files,
  folder,
}: Place): Promise<PythonManifest | undefined> {
  const names = await files.list(folder === "" ? "." : folder);
  const present = (wanted: readonly string[]) => wanted.filter((name) => names.includes(name));
  const main = present(mainFiles);
  const found = main.length > 0 ? main : present(lesserFiles);
  if (found.length === 0) return undefined;
  const requirementFiles = await findRequirements(files, { folder, names });
  const read = async (name: string) => (await readText(files, pathIn(folder, name))) ?? "";
  const pyproject = withoutComments(await read("pyproject.toml"));
  const others = ["setup.py", "setup.cfg", "Pipfile", "tox.ini", ...requirementFiles];
  const rest = withoutComments((await Promise.all(others.map(read))).join("\n"));
  const text = `${pyproject}\n${rest}`;
  const hasTable = (name: string) => tablePattern(name).test(pyproject);
  return {
    found,
    names,
    ...projectName(pyproject),
    requires: (name) => requirementPattern(name).test(text),
    configures: (name) =>
      hasTable(`tool.${name}`) ||
      tablePattern(name === "pytest" ? "tool:pytest" : name).test(rest) ||
      (settingFiles[name] ?? []).some((file) => names.includes(file)),
    hasTable,
    extras: extrasOf(pyproject),
    requirementFiles,
  };
}

async function findRequirements(
  files: Files,
  { folder, names }: { folder: string; names: readonly string[] },
): Promise<string[]> {
  const beside = names.filter((name) =>
    /^(?:[\w-]*[_-])?requirements(?:[_-][\w-]+)?\.txt$/.test(name),
  );
  if (!names.includes("requirements")) return beside;
  const inside = await files.list(pathIn(folder, "requirements"));
  const kept = inside.filter((name) => /^(?:base|common|dev|main|test|tests)\.txt$/.test(name));
  return [...beside, ...kept.map((name) => `requirements/${name}`)];
}

/** A `#` in a string may cut a line short; what is looked for stands before it. */
const withoutComments = (text: string) => text.replace(/(^|\s)#.*$/gm, "$1");

const escaped = (name: string) => name.replace(/[.:]/g, "\\$&");

/** `[tool.ruff]` and also what only has tables below it, `[tool.ruff.lint]`. */
const tablePattern = (name: string) => new RegExp(`^\\[+${escaped(name)}[.\\]]`, "m");

/** A quoted requirement, a key of a table, or a line of a requirements file. */
const requirementPattern = (name: string) =>
  new RegExp(`(?:^[ \\t]*|["'])${name}(?=$|["'\\s<>=!~;@[,])`, "im");

function projectName(pyproject: string): { project?: string } {
  const [, name] =
    /^\[(?:project|tool\.poetry)\]\s*\n(?:(?!\[)[^\n]*\n)*?name\s*=\s*["']([^"'\n]+)/m.exec(
      pyproject,
    ) ?? [];
  return name === undefined ? {} : { project: name };
}

function extrasOf(pyproject: string): string[] {
  const [, table = ""] =
    /^\[project\.optional-dependencies\]\s*\n((?:(?!\[)[^\n]*(?:\n|$))*)/m.exec(pyproject) ?? [];
  return [...table.matchAll(/^([\w-]+)\s*=/gm)].flatMap(([, name]) => name ?? []);
}

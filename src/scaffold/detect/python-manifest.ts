import { type PartLocation, pathIn } from "./part.ts";
import { listNames, readTextFile } from "./read-optional.ts";

/** The parts of a Python project's files that detection uses. */
export type PythonManifest = {
  /** The files that mark a Python project, main file first. */
  found: string[];
  names: readonly string[];
  project?: string;
  /** Whether any file requires this package. */
  requires: (name: string) => boolean;
  /** Whether pyproject.toml has `[tool.NAME]`, or another file configures the tool. */
  configures: (name: string) => boolean;
  /** The arguments tox.ini gives a checker; undefined if it does not call it, or calls it with substitutions. */
  toxArguments: (name: string) => string | undefined;
  hasTable: (name: string) => boolean;
  /** The lines of one table of pyproject.toml; empty if missing. */
  table: (name: string) => string;
  /** The build backend, such as `setuptools.build_meta`. */
  backend: string;
  /** Texts of the requirements files, by path. */
  requirements: ReadonlyMap<string, string>;
};

const mainFiles = ["pyproject.toml", "setup.py"];
/** Files that mark a Python project without a main file. */
const lesserFiles = ["Pipfile", "requirements.txt", "setup.cfg", "pytest.ini", "tox.ini"];

const settingFiles: Readonly<Record<string, readonly string[]>> = {
  ruff: ["ruff.toml", ".ruff.toml"],
  flake8: [".flake8"],
  mypy: ["mypy.ini", ".mypy.ini"],
  pyright: ["pyrightconfig.json"],
  pytest: ["pytest.ini", "conftest.py"],
};

/** Undefined if no file marks a Python project (compatibility 1.18). */
export async function readPythonManifest(
  location: PartLocation,
): Promise<PythonManifest | undefined> {
  const { files, folder } = location;
  const names = await listNames(files, folder);
  const present = (wanted: readonly string[]) => wanted.filter((name) => names.includes(name));
  const main = present(mainFiles);
  const found = main.length > 0 ? main : present(lesserFiles);
  if (found.length === 0) return undefined;
  const read = async (name: string) =>
    withoutComments((await readTextFile(files, pathIn(folder, name))) ?? "");
  const pyproject = await read("pyproject.toml");
  const requirements = await readRequirements(location, names);
  const others = ["setup.py", "setup.cfg", "Pipfile", "tox.ini"];
  const rest = (await Promise.all(others.map(read))).concat(...requirements.values()).join("\n");
  const tox = await read("tox.ini");
  const hasTable = (name: string) => headingOf(name).test(pyproject);
  const table = (name: string) => tableOf(pyproject, name);
  return {
    ...{ found, names, hasTable, table, requirements },
    ...projectName(table),
    toxArguments: (name) => argumentsIn(tox, name),
    requires: (name) => mentions(`${pyproject}\n${rest}`, name),
    configures: (name) =>
      hasTable(`tool.${name}`) ||
      headingOf(name === "pytest" ? "tool:pytest" : name).test(rest) ||
      (settingFiles[name] ?? []).some((file) => names.includes(file)),
    backend: /^build-backend\s*=\s*["']([\w.]+)/m.exec(table("build-system"))?.[1] ?? "",
  };
}

/** Requirements for development; files for other purposes (docs, production) may conflict. */
const requirementsFile =
  /^(?:(?:dev|tests?|lint|ci)[_-])?requirements(?:[_-](?:base|dev|devel|development|tests?|testing|lint|ci))?\.txt$/;

async function readRequirements({ files, folder }: PartLocation, names: readonly string[]) {
  const beside = names.filter((name) => requirementsFile.test(name));
  const inside = await listNames(files, pathIn(folder, "requirements"));
  const kept = inside.filter((name) => /^(?:base|common|dev|main|tests?)\.txt$/.test(name));
  const paths = [...beside, ...kept.map((name) => `requirements/${name}`)];
  const texts = paths.map(async (path): Promise<[string, string]> => {
    const text = (await readTextFile(files, pathIn(folder, path))) ?? "";
    return [path, withoutComments(text)];
  });
  return new Map(await Promise.all(texts));
}

/** A `#` in a string may cut a line short; the searched names come before it. */
const withoutComments = (text: string) => text.replace(/(^|\s)#.*$/gm, "$1");

/** Only plain words: a dependency such as `flake8 >= 6` is no call, and tox knows no shell. */
function argumentsIn(tox: string, name: string): string | undefined {
  const words = "((?:[ \\t]+[\\w./,:@+-][\\w./,:@+=-]*)+)";
  const call = new RegExp(
    `^(?:commands[ \\t]*=)?[ \\t]*(?:python3? -m )?${name}${words}[ \\t]*$`,
    "m",
  );
  return call.exec(tox.replace(/ *\{posargs(?::([^{}]*))?\}/g, " $1"))?.[1]?.trim();
}

const escaped = (name: string) => name.replace(/[.:]/g, "\\$&");

/** Matches `[tool.ruff]` and its subtables, such as `[tool.ruff.lint]`. */
const headingOf = (name: string) => new RegExp(`^\\[+${escaped(name)}[.\\]]`, "m");

function tableOf(text: string, name: string): string {
  const table = new RegExp(`^\\[${escaped(name)}\\]\\s*\\n((?:(?!\\[)[^\\n]*(?:\\n|$))*)`, "m");
  return table.exec(text)?.[1] ?? "";
}

/** Whether a text requires a package: in quotes, as a key of a table, or as a line of a requirements file. */
export const mentions = (text: string, name: string): boolean =>
  new RegExp(`(?:^[ \\t]*|["'])${name}(?=$|["'\\s<>=!~;@[,])`, "im").test(text);

function projectName(table: PythonManifest["table"]): { project?: string } {
  const text = `${table("project")}\n${table("tool.poetry")}`;
  const [, project] = /^name\s*=\s*["']([^"'\n]+)/m.exec(text) ?? [];
  return project === undefined ? {} : { project };
}

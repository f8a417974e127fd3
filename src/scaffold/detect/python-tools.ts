import { findFile } from "./find-file.ts";
import { type GateRole, type PartLocation, pathIn } from "./part.ts";
import type { PythonManifest } from "./python-manifest.ts";
import { readTextFile } from "./read-optional.ts";

/** A checker or test runner of a Python project. */
export type PythonTool = {
  name: string;
  role: GateRole;
  command: string;
  /** The package to install; undefined for tools of Python itself. */
  package?: string;
  redBecause?: string;
};

/** Finds checkers that the project requires or configures, and a test runner, also by its tests. */
export async function findPythonTools(
  location: PartLocation,
  manifest: PythonManifest,
): Promise<PythonTool[]> {
  const isUsed = (name: string) => manifest.requires(name) || manifest.configures(name);
  const checkers: PythonTool[] = [
    { name: "ruff", role: "lint", command: "ruff check .", package: "ruff" },
    { name: "flake8", role: "lint", command: flake8Command(manifest), package: "flake8" },
    {
      name: "mypy",
      role: "typecheck",
      command: mypyCommand(manifest),
      package: "mypy",
    },
    { name: "pyright", role: "typecheck", command: "pyright", package: "pyright" },
  ];
  const test = await findTestRunner(location, { manifest, isUsed });
  return [...checkers.filter(({ name }) => isUsed(name)), ...(test ? [test] : [])];
}

/** With the paths and options that tox gives it. */
const flake8Command = ({ toxArguments }: PythonManifest) =>
  ["flake8", toxArguments("flake8"), "--extend-exclude .venv"].filter(Boolean).join(" ");

/** Configured targets take precedence. */
function mypyCommand({ names, table, toxArguments }: PythonManifest): string {
  if (/^(?:files|packages|modules)\s*=/m.test(table("tool.mypy"))) return "mypy";
  const asked = toxArguments("mypy");
  if (asked) return `mypy ${asked}`;
  return names.includes("src") ? "mypy src" : "mypy .";
}

async function findTestRunner(
  { files, folder }: PartLocation,
  { manifest, isUsed }: { manifest: PythonManifest; isUsed: (name: string) => boolean },
): Promise<PythonTool | undefined> {
  const { names } = manifest;
  const first = await findFile(files, folder, testFile);
  if (isUsed("pytest")) return pytest(first !== undefined);
  if (names.includes("manage.py")) {
    return { name: "django", role: "test", command: "python manage.py test" };
  }
  if (first === undefined) return undefined;
  const text = (await readTextFile(files, pathIn(folder, first))) ?? "";
  if (!/^\s*(?:import|from) unittest\b/m.test(text)) return pytest(true);
  const [, start] = /^(tests?)\//.exec(first) ?? [];
  const where = start === undefined ? "" : ` --start-directory ${start}`;
  return { name: "unittest", role: "test", command: `python -m unittest discover${where}` };
}

const testFile = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;

const pytest = (hasTests: boolean): PythonTool => ({
  name: "pytest",
  role: "test",
  command: "pytest -q",
  package: "pytest",
  ...(!hasTests && { redBecause: "pytest fails while there are no tests" }),
});

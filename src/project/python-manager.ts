import { commandIn, type FoundSetup, nameIn, type Place, pathIn } from "./part.ts";
import type { PythonManifest } from "./python-manifest.ts";

/** How a Python project is installed and how its tools are started. */
export type PythonManager = {
  name: "uv" | "poetry" | "pdm" | "pipenv" | "pip";
  /** `pytest -q` as a command of the project's own environment. */
  run: (command: string) => string;
  tools: string[];
};

/** By lockfile or table of pyproject.toml, else pip in a virtual environment of the project's own. */
export function choosePythonManager({ names, hasTable }: PythonManifest): PythonManager {
  const uses = (lockfile: string, table: string) => names.includes(lockfile) || hasTable(table);
  if (uses("uv.lock", "tool.uv")) return managed("uv");
  if (uses("poetry.lock", "tool.poetry")) return managed("poetry");
  if (uses("pdm.lock", "tool.pdm")) return managed("pdm");
  if (uses("Pipfile", "tool.pipenv")) return managed("pipenv");
  return { name: "pip", run: runInEnvironment, tools: [] };
}

const runInEnvironment = (command: string) =>
  command.startsWith("python ") ? `.venv/bin/${command}` : `.venv/bin/python -m ${command}`;

const managed = (name: Exclude<PythonManager["name"], "pip">): PythonManager => ({
  name,
  run: (command) => `${name} run ${command}`,
  tools: [`pipx install ${name}`],
});

/** The step that makes dependencies and the tools of the gates available; none when there is nothing to install. */
export function pythonSetup(
  { folder }: Place,
  manifest: PythonManifest,
  { manager, tools }: { manager: PythonManager; tools: readonly string[] },
): FoundSetup[] {
  const cmd = installCommand(manifest, { manager, tools });
  if (cmd === undefined) return [];
  const lockfiles = ["uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock"];
  const locked = lockfiles.filter((name) => manifest.names.includes(name));
  const decisive = [...new Set([...manifest.found, ...manifest.requirementFiles, ...locked])];
  const cache = decisive.map((name) => pathIn(folder, name));
  return [{ name: nameIn(folder, "python-packages"), cmd: commandIn(folder, cmd), cache }];
}

type Given = { manager: PythonManager; tools: readonly string[] };

function installCommand(manifest: PythonManifest, { manager, tools }: Given): string | undefined {
  const { names, extras } = manifest;
  switch (manager.name) {
    case "uv": {
      const sync = names.includes("uv.lock") ? "uv sync --locked" : "uv sync";
      return extras.length > 0 ? `${sync} --all-extras` : sync;
    }
    case "poetry":
      return extras.length > 0
        ? "poetry install --no-interaction --all-extras"
        : "poetry install --no-interaction";
    case "pdm":
      return names.includes("pdm.lock") ? "pdm install --frozen-lockfile" : "pdm install";
    case "pipenv":
      return names.includes("Pipfile.lock") ? "pipenv sync --dev" : "pipenv install --dev";
    case "pip":
      return pipCommand(manifest, tools);
  }
}

const wantedExtras = ["dev", "test", "tests", "testing", "lint"];

/** Tools that are configured but not listed anywhere are asked for by name. */
function pipCommand(manifest: PythonManifest, tools: readonly string[]): string | undefined {
  const { requirementFiles, hasTable, found, extras } = manifest;
  const isPackage = hasTable("project") || hasTable("build-system") || found.includes("setup.py");
  const chosen = extras.filter((name) => wantedExtras.includes(name));
  const itself = chosen.length > 0 ? `--editable ".[${chosen.join(",")}]"` : "--editable .";
  const wanted = [
    ...requirementFiles.map((file) => `--requirement ${file}`),
    ...(isPackage ? [itself] : []),
    ...tools.filter((tool) => !manifest.requires(tool)),
  ];
  if (wanted.length === 0) return undefined;
  return `python3 -m venv .venv && .venv/bin/pip install --quiet ${wanted.join(" ")}`;
}

import { commandIn, type FoundSetup, nameIn, type PartPlace, pathIn } from "./part.ts";
import { pipCommand } from "./pip-command.ts";
import type { PythonManifest } from "./python-manifest.ts";

/** How a Python project is installed and how its tools are started. */
export type PythonManager = {
  name: "uv" | "poetry" | "pdm" | "pipenv" | "pip";
  /** `pytest -q` as a command of the project's own environment. */
  run: (command: string) => string;
  tools: string[];
};

type Traces = { name: Exclude<PythonManager["name"], "pip">; lockfile: string; backend?: string };

const managers: readonly Traces[] = [
  { name: "uv", lockfile: "uv.lock", backend: "uv_build" },
  { name: "poetry", lockfile: "poetry.lock", backend: "poetry." },
  { name: "pdm", lockfile: "pdm.lock" },
  { name: "pipenv", lockfile: "Pipfile" },
];

/** By lockfile or table of pyproject.toml, else by what builds the package, else pip in an environment of its own. */
export function choosePythonManager({ names, hasTable, backend }: PythonManifest): PythonManager {
  const chosen =
    managers.find(({ name, lockfile }) => names.includes(lockfile) || hasTable(`tool.${name}`)) ??
    managers.find((manager) => manager.backend && backend.startsWith(manager.backend));
  if (chosen === undefined) return { name: "pip", run: runInEnvironment, tools: [] };
  const { name } = chosen;
  return { name, run: (command) => `${name} run ${command}`, tools: [`pipx install ${name}`] };
}

const runInEnvironment = (command: string) =>
  command.startsWith("python ") ? `.venv/bin/${command}` : `.venv/bin/python -m ${command}`;

type Given = { manager: PythonManager; tools: readonly string[] };

/** The step that makes dependencies and the tools of the gates available; none when there is nothing to install. */
export function pythonSetup(
  { folder }: PartPlace,
  manifest: PythonManifest,
  given: Given,
): FoundSetup[] {
  const cmd = installCommand(manifest, given);
  if (cmd === undefined) return [];
  const { names, found, requirements } = manifest;
  const lockfiles = ["uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock"];
  const locked = lockfiles.filter((name) => names.includes(name));
  const decisive = [...new Set([...found, ...requirements.keys(), ...locked])];
  const cache = decisive.map((name) => pathIn(folder, name));
  return [{ name: nameIn(folder, "python-packages"), cmd: commandIn(folder, cmd), cache }];
}

function installCommand(manifest: PythonManifest, { manager, tools }: Given): string | undefined {
  const { names, table } = manifest;
  const extras = table("project.optional-dependencies") === "" ? "" : " --all-extras";
  switch (manager.name) {
    case "uv": {
      // Of the groups only `dev` is installed unasked.
      const groups = /^(?!dev\s*=)[\w.-]+\s*=/m.test(table("dependency-groups"));
      const sync = names.includes("uv.lock") ? "uv sync --locked" : "uv sync";
      return `${sync}${extras}${groups ? " --all-groups" : ""}`;
    }
    case "poetry":
      return `poetry install --no-interaction${extras}`;
    case "pdm":
      return names.includes("pdm.lock") ? "pdm install --frozen-lockfile" : "pdm install";
    case "pipenv":
      return names.includes("Pipfile.lock") ? "pipenv sync --dev" : "pipenv install --dev";
    case "pip":
      return pipCommand(manifest, tools);
  }
}

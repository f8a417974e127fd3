import { commandIn, type FoundSetup, nameIn, type PartLocation, pathIn } from "./part.ts";
import { mentions, type PythonManifest } from "./python-manifest.ts";

/** The commands of a Python package manager. */
export type PythonManager = {
  name: "uv" | "poetry" | "pdm" | "pipenv" | "pip";
  /** Turns `pytest -q` into a command in the project's environment. */
  run: (command: string) => string;
  tools: string[];
};

const managers: readonly {
  name: Exclude<PythonManager["name"], "pip">;
  lockfile: string;
  backend?: string;
}[] = [
  { name: "uv", lockfile: "uv.lock", backend: "uv_build" },
  { name: "poetry", lockfile: "poetry.lock", backend: "poetry." },
  { name: "pdm", lockfile: "pdm.lock" },
  { name: "pipenv", lockfile: "Pipfile" },
];

/** Chooses by lockfile or table of pyproject.toml, else by the build backend, else pip in a virtual environment. */
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

type PythonInstall = { manager: PythonManager; tools: readonly string[] };

/** The step that installs dependencies and the tools of the gates; empty when there is nothing to install. */
export function pythonSetup(
  { folder }: PartLocation,
  manifest: PythonManifest,
  given: PythonInstall,
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

function installCommand(manifest: PythonManifest, { manager, tools }: PythonInstall) {
  const { names, table } = manifest;
  const extras = table("project.optional-dependencies") === "" ? "" : " --all-extras";
  switch (manager.name) {
    case "uv": {
      // Only the group `dev` is installed by default.
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

const wantedExtras = ["dev", "test", "tests", "testing", "lint"];

/**
 * Installs the project for development into a virtual environment. pip does not read dependency groups, setup.py or the
 * environments of hatch and tox, so tools named only there are installed by name.
 */
function pipCommand(manifest: PythonManifest, tools: readonly string[]): string | undefined {
  const { requirements, hasTable, found } = manifest;
  const isPackage = hasTable("project") || hasTable("build-system") || found.includes("setup.py");
  const extras = extrasOf(manifest).filter(({ name }) => wantedExtras.includes(name));
  const names = extras.map(({ name }) => name).join(",");
  const itself = names === "" ? "--editable ." : `--editable ".[${names}]"`;
  const installed = [...requirements.values(), ...extras.map(({ text }) => text)].join("\n");
  const wanted = [
    ...[...requirements.keys()].map((file) => `--requirement ${file}`),
    ...(isPackage ? [itself] : []),
    ...tools.filter((tool) => !mentions(installed, tool)),
  ];
  if (wanted.length === 0) return undefined;
  return `python3 -m venv .venv && .venv/bin/pip install --quiet ${wanted.join(" ")}`;
}

/** Optional groups of dependencies, with the text of each. */
function extrasOf({ table }: PythonManifest): { name: string; text: string }[] {
  const lists = table("project.optional-dependencies").matchAll(
    /^([\w-]+)\s*=((?:(?!^[\w-]+\s*=)[\s\S])*)/gm,
  );
  return [...lists].map(([, name = "", text = ""]) => ({ name, text }));
}

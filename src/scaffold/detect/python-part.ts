import { commandIn, type FoundGate, nameIn, type Part, type PartLocation, pathIn } from "./part.ts";
import { choosePythonManager, type PythonManager, pythonSetup } from "./python-manager.ts";
import { mentions, type PythonManifest, readPythonManifest } from "./python-manifest.ts";
import { findPythonTools, type PythonTool } from "./python-tools.ts";
import { knownPackages } from "./technologies.ts";

/** A Python project with its checkers and tests. */
export async function readPythonPart(location: PartLocation): Promise<Part | undefined> {
  const { folder } = location;
  const manifest = await readPythonManifest(location);
  if (!manifest) return undefined;
  const manager = choosePythonManager(manifest);
  const found = await findPythonTools(location, manifest);
  const tools = found.filter((tool) => isAvailable(tool, { manifest, manager }));
  const packages = tools.flatMap(({ package: name }) => name ?? []);
  const setup = pythonSetup(location, manifest, { manager, tools: packages });
  const isInstalled = setup.length > 0;
  const run = isInstalled ? manager.run : runOutside;
  const from = manifest.found.map((name) => pathIn(folder, name)).join(", ");
  return {
    stack: "python",
    folder,
    title: `Python (${from}, ${manager.name})`,
    ...(manifest.project && { project: manifest.project }),
    setup,
    gates: tools.map((tool) => toGate(tool, { folder, manifest, manager, run })),
    testExample: commandIn(folder, run("pytest -q")),
    testPaths: testPathsOf(folder),
    ignores: ["__pycache__/", ...(isInstalled ? [".venv/", "*.egg-info/"] : [])],
    dependencies: knownPackages.filter(manifest.requires),
    tools: manager.tools,
    remarks: remarksOn(from, { found, tools }),
  };
}

type PythonProject = { manifest: PythonManifest; manager: PythonManager };

/** pip and uv install a tool that is configured but not listed; other managers install only listed tools. */
function isAvailable({ package: name }: PythonTool, { manifest, manager }: PythonProject): boolean {
  if (name === undefined || manifest.requires(name)) return true;
  return manager.name === "pip" || manager.name === "uv";
}

/** Without a setup step, the system's Python runs the command. */
const runOutside = (command: string) =>
  command.startsWith("python ") ? command.replace("python", "python3") : `python3 -m ${command}`;

/** The tables of pyproject.toml that `uv sync` installs. */
const knownToUv = ["project", "project.optional-dependencies", "dependency-groups", "tool.uv"];

function toGate(
  { name, role, command, package: needed, redBecause }: PythonTool,
  { folder, manifest, manager, run }: PythonProject & { folder: string; run: PythonManager["run"] },
): FoundGate {
  const synced = knownToUv.map(manifest.table).join("\n");
  const isAdded = manager.name === "uv" && needed !== undefined && !mentions(synced, needed);
  return {
    name: nameIn(folder, name),
    role,
    cmd: commandIn(folder, isAdded ? `uv run --with ${needed} ${command}` : run(command)),
    ...(role === "test" && { timeoutSeconds: 600 }),
    ...(redBecause && { redBecause }),
  };
}

const testPathsOf = (folder: string) => [
  ...(folder === "" ? ["tests/**", "test/**"] : ["**/tests/**", "**/test/**"]),
  "**/test_*.py",
  "**/*_test.py",
  "**/conftest.py",
];

function remarksOn(
  from: string,
  { found, tools }: { found: readonly PythonTool[]; tools: readonly PythonTool[] },
): string[] {
  const missing = found.filter((tool) => !tools.includes(tool));
  const left = missing.map(
    ({ name }) =>
      `${name} is configured but not among the dependencies of ${from}, so it is no gate.`,
  );
  if (found.some(({ role }) => role === "test")) return left;
  return [...left, `${from} names no test runner, and there are no tests.`];
}

import type { PackageJson } from "./package-json.ts";
import type { PackageManager } from "./package-manager.ts";
import {
  commandIn,
  type FoundGate,
  type GateRole,
  gateRoles,
  nameIn,
  type Place,
  pathIn,
} from "./part.ts";
import { readText } from "./read-text.ts";

/** Usual names of scripts, the most usual first. */
const scriptNames: Record<GateRole, readonly string[]> = {
  lint: ["lint", "lint:check", "eslint"],
  typecheck: ["typecheck", "type-check", "check-types", "types:check", "tsc"],
  build: ["build"],
  test: ["test", "test:ci", "test:run", "test:unit"],
};

const slow: readonly GateRole[] = ["build", "test"];

type Given = { manifest: PackageJson; manager: PackageManager; packages: readonly PackageJson[] };
type Found = { gates: FoundGate[]; remarks: string[] };

/** One gate for each role a script exists for, in the package itself or in the packages of its workspace. */
export async function nodeGates(place: Place, given: Given): Promise<Found> {
  const { folder } = place;
  const commands = gateRoles.map((role) => ({ role, cmd: commandOf(role, given) }));
  const compiler = await compilerCommand(place, given);
  const gates = commands.flatMap(({ role, cmd }): FoundGate[] => {
    const chosen = cmd ?? (role === "typecheck" ? compiler : undefined);
    if (chosen === undefined) return [];
    const gate = { name: nameIn(folder, role), role, cmd: commandIn(folder, chosen) };
    return [slow.includes(role) ? { ...gate, timeoutSeconds: 600 } : gate];
  });
  return {
    gates,
    remarks: remarksOn(pathIn(folder, "package.json"), { manifest: given.manifest, gates }),
  };
}

function commandOf(role: GateRole, { manifest, manager, packages }: Given): string | undefined {
  const own = scriptNames[role].find((name) => isUsable(manifest.scripts[name]));
  if (own !== undefined) return withoutWatching(manifest.scripts[own], manager.run(own));
  const everywhere = scriptNames[role].find((name) => isRunnableIn(packages, name));
  return everywhere === undefined ? undefined : manager.runEverywhere?.(everywhere);
}

/** A placeholder in one package would make the whole gate red. */
function isRunnableIn(packages: readonly PackageJson[], name: string): boolean {
  const scripts = packages.flatMap((member) => member.scripts[name] ?? []);
  return scripts.length > 0 && scripts.every(isUsable);
}

/** Not what `npm init` writes, and nothing that waits for changes and never ends. */
function isUsable(script: string | undefined): boolean {
  return script !== undefined && script.trim() !== "" && !isPlaceholder(script) && !watches(script);
}

const isPlaceholder = (script: string) =>
  script.includes("no test specified") || /^echo\b[^&|;]*(?:&&|;)\s*exit 1\s*$/.test(script.trim());

const watches = (script: string) => /\s--watch(?:All)?(?!\S*=false)(?=[\s=]|$)/i.test(script);

/** These programs watch unless they are told that nobody is there. */
function withoutWatching(script: string | undefined, command: string): string {
  const isWatcher = /\b(?:react-scripts|craco|react-app-rewired) test\b/.test(script ?? "");
  return isWatcher ? `CI=true ${command}` : command;
}

/** TypeScript that is installed and configured can be checked without a script. */
async function compilerCommand(
  { files, folder }: Place,
  { manifest, manager }: Given,
): Promise<string | undefined> {
  if (!manifest.dependencies.includes("typescript")) return undefined;
  const settings = await readText(files, pathIn(folder, "tsconfig.json"));
  // With references the file itself lists nothing, and a gate that checks nothing is none.
  const isWhole = settings !== undefined && !settings.includes('"references"');
  return isWhole ? manager.exec("tsc --noEmit") : undefined;
}

type Known = Pick<Given, "manifest"> & Pick<Found, "gates">;

function remarksOn(path: string, { manifest, gates }: Known): string[] {
  if (gates.some(({ role }) => role === "test")) return [];
  const { test = "" } = manifest.scripts;
  if (watches(test))
    return [`The script "test" of ${path} watches for changes and never ends; add "test:ci".`];
  return [
    `${path} has no script that runs tests${isPlaceholder(test) ? ', only the placeholder of "npm init"' : ""}.`,
  ];
}

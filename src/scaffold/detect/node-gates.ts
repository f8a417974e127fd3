import { redReason, toolFor } from "./node-tools.ts";
import type { PackageJson, Workspace } from "./package-json.ts";
import type { PackageManager } from "./package-manager.ts";
import {
  commandIn,
  type FoundGate,
  type GateRole,
  gateRoles,
  nameIn,
  type PartLocation,
  pathIn,
} from "./part.ts";

const slow: readonly GateRole[] = ["build", "test"];

type NodeProject = {
  manifest: PackageJson;
  manager: PackageManager;
  packages: readonly PackageJson[];
  /** The workspace above the package. */
  workspace: Workspace | undefined;
};

/** At most one gate for each role: a script, its own or of the workspace around it, or a configured tool. */
export async function nodeGates(
  location: PartLocation,
  given: NodeProject,
): Promise<{ gates: FoundGate[]; remarks: string[] }> {
  const found = await Promise.all(gateRoles.map((role) => gateFor(role, location, given)));
  const gates = found.filter((gate) => gate !== undefined);
  const hasTests = gates.some(({ role }) => role === "test");
  const path = pathIn(location.folder, "package.json");
  return { gates, remarks: hasTests ? [] : [whyNoTests(path, given.manifest)] };
}

async function gateFor(role: GateRole, location: PartLocation, given: NodeProject) {
  const { workspace, manager } = given;
  const own = scriptOf(role, given) ?? scriptBelow(role, given);
  const above = own || !workspace ? undefined : scriptOf(role, { ...workspace, manager });
  const found = own ?? above ?? (await tool(role, location, given));
  if (found === undefined) return undefined;
  const at = above && workspace ? workspace.location : location;
  const red = role === "test" ? await redReason(found.text, at) : undefined;
  return {
    name: nameIn(location.folder, role),
    role,
    cmd: commandIn(above && workspace ? workspace.path : location.folder, found.cmd),
    ...(slow.includes(role) && { timeoutSeconds: 600 }),
    ...(red && { redBecause: red }),
  };
}

/** A command, and the text of its script if known. */
type Command = { cmd: string; text: string };

function scriptOf(
  role: GateRole,
  { manifest, manager }: Pick<NodeProject, "manifest" | "manager">,
): Command | undefined {
  const name = scriptFor(role, manifest);
  if (name === undefined) return undefined;
  const text = manifest.scripts[name] ?? "";
  return { cmd: `${needsCi(text) ? "CI=true " : ""}${manager.run(name)}`, text };
}

function scriptBelow(role: GateRole, { manager, packages }: NodeProject): Command | undefined {
  const name = scriptOfAll(role, packages);
  const cmd = name === undefined ? undefined : manager.runEverywhere?.(name);
  return cmd === undefined ? undefined : { cmd, text: "" };
}

async function tool(role: GateRole, location: PartLocation, given: NodeProject) {
  const text = await toolFor(role, location, given.manifest);
  return text === undefined ? undefined : { cmd: given.manager.exec(text), text };
}

function whyNoTests(path: string, { scripts: { test = "" } }: PackageJson): string {
  if (watches(test)) {
    return `The script "test" of ${path} watches for changes and never ends; add "test:ci".`;
  }
  const only = isPlaceholder(test) ? ', only the placeholder of "npm init"' : "";
  return `${path} has no script that runs tests${only}.`;
}

/** Usual script names in order of preference: scripts that only check come before scripts that may fix. */
const usualNames: Record<GateRole, readonly string[]> = {
  lint: ["lint:check", "lint:ci", "lint", "eslint"],
  typecheck: [
    "typecheck",
    "type-check",
    "check-types",
    "types:check",
    "check:types",
    "test:types",
    "lint:types",
    "tsc",
  ],
  build: ["build"],
  test: ["test", "test:ci", "test:run", "test:unit"],
};

/** Scripts of any name that only call a checker; in a chain of commands the others could do anything. */
const checkers: Partial<Record<GateRole, RegExp>> = {
  lint: /^(?:eslint|oxlint|xo|biome (?:check|ci|lint))\b(?!.*--(?:fix|write))[^&|;]*$/,
  typecheck: /^(?:tsc|tsgo|vue-tsc)\b(?=.*\s--noEmit\b)[^&|;]*$/i,
};

/** The name of a package's script for a role that ends by itself: the usual name, else one that calls a checker. */
function scriptFor(role: GateRole, { scripts }: PackageJson): string | undefined {
  const usual = usualNames[role].find((name) => isUsable(scripts[name]));
  const checker = checkers[role];
  const calls = ([, text]: [string, string]) => checker?.test(text.trim()) && isUsable(text);
  return usual ?? Object.entries(scripts).find(calls)?.[0];
}

/** The same for a workspace. One placeholder would make the whole gate red. */
const scriptOfAll = (role: GateRole, packages: readonly PackageJson[]): string | undefined =>
  usualNames[role].find((name) => {
    const scripts = packages.flatMap((member) => member.scripts[name] ?? []);
    return scripts.length > 0 && scripts.every(isUsable);
  });

/** Neither the placeholder of `npm init` nor a watcher. */
const isUsable = (script: string | undefined): boolean =>
  script !== undefined && script.trim() !== "" && !isPlaceholder(script) && !watches(script);

const isPlaceholder = (script: string) =>
  script.includes("no test specified") || /^echo\b[^&|;]*(?:&&|;)\s*exit 1\s*$/.test(script.trim());

const watching = [
  /\s--watch(?:All)?(?!\S*=false)(?=[\s=]|$)/i,
  /\b(?:tsc|mocha|jest)\b[^&|;]*\s-w\b/,
  /\bvitest (?:watch|dev)\b/,
  /\bnodemon\b/,
  /\bng test\b(?!.*--(?:no-watch|watch=false))/,
];

/** Whether a script watches for changes and never ends. */
const watches = (script: string) => watching.some((pattern) => pattern.test(script));

/** These programs watch for changes unless CI=true. */
const needsCi = (script: string) =>
  /\b(?:react-scripts|craco|react-app-rewired) test\b/.test(script);

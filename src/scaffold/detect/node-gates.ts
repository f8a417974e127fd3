import { isPlaceholder, needsCi, scriptFor, scriptOfAll, watches } from "./node-scripts.ts";
import { redReason, toolFor } from "./node-tools.ts";
import type { PackageJson } from "./package-json.ts";
import type { PackageManager } from "./package-manager.ts";
import {
  commandIn,
  type FoundGate,
  type GateRole,
  gateRoles,
  nameIn,
  type PartPlace,
  pathIn,
} from "./part.ts";

const slow: readonly GateRole[] = ["build", "test"];

type Given = { manifest: PackageJson; manager: PackageManager; packages: readonly PackageJson[] };
type Found = { gates: FoundGate[]; remarks: string[] };

/** At most one gate for each role: a script, a script of the workspace's packages, or a tool that is set up. */
export async function nodeGates(place: PartPlace, given: Given): Promise<Found> {
  const found = await Promise.all(gateRoles.map((role) => gateFor(role, place, given)));
  const gates = found.filter((gate) => gate !== undefined);
  const hasTests = gates.some(({ role }) => role === "test");
  const path = pathIn(place.folder, "package.json");
  return { gates, remarks: hasTests ? [] : [whyNoTests(path, given.manifest)] };
}

async function gateFor(
  role: GateRole,
  place: PartPlace,
  given: Given,
): Promise<FoundGate | undefined> {
  const found =
    ownScript(role, given) ?? scriptBelow(role, given) ?? (await tool(role, place, given));
  if (found === undefined) return undefined;
  const red = role === "test" ? await redReason(found.text, place) : undefined;
  return {
    name: nameIn(place.folder, role),
    role,
    cmd: commandIn(place.folder, found.cmd),
    ...(slow.includes(role) && { timeoutSeconds: 600 }),
    ...(red && { redBecause: red }),
  };
}

/** What is run, and the text it comes down to where that is known. */
type Command = { cmd: string; text: string };

function ownScript(role: GateRole, { manifest, manager }: Given): Command | undefined {
  const name = scriptFor(role, manifest);
  if (name === undefined) return undefined;
  const text = manifest.scripts[name] ?? "";
  return { cmd: `${needsCi(text) ? "CI=true " : ""}${manager.run(name)}`, text };
}

function scriptBelow(role: GateRole, { manager, packages }: Given): Command | undefined {
  const name = scriptOfAll(role, packages);
  const cmd = name === undefined ? undefined : manager.runEverywhere?.(name);
  return cmd === undefined ? undefined : { cmd, text: "" };
}

async function tool(role: GateRole, place: PartPlace, given: Given): Promise<Command | undefined> {
  const text = await toolFor(role, place, given.manifest);
  return text === undefined ? undefined : { cmd: given.manager.exec(text), text };
}

function whyNoTests(path: string, { scripts: { test = "" } }: PackageJson): string {
  if (watches(test)) {
    return `The script "test" of ${path} watches for changes and never ends; add "test:ci".`;
  }
  const only = isPlaceholder(test) ? ', only the placeholder of "npm init"' : "";
  return `${path} has no script that runs tests${only}.`;
}

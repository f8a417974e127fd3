import type { ReadFiles } from "../../platform/system.ts";
import { readLayout } from "./find-file.ts";
import { type FoundService, findServices } from "./find-services.ts";
import { readNodePart } from "./node-part.ts";
import { readMakePart, readOtherParts } from "./other-parts.ts";
import {
  type FoundGate,
  type FoundSetup,
  gateRoles,
  type Part,
  type PartLocation,
} from "./part.ts";
import { readPythonPart } from "./python-part.ts";
import { technologyLines } from "./technologies.ts";

export const templates = ["minimal", "python", "node", "fullstack"] as const;
export type Template = (typeof templates)[number];

/** The basis of everything `init` writes. */
export type DetectedProject = {
  template: Template;
  project: string;
  baseBranch: string;
  /** The detected toolchains, for display. */
  found: string[];
  setup: FoundSetup[];
  gates: FoundGate[];
  /** A test command to show when there is no gate. */
  testExample: string;
  testPaths: string[];
  /** Folders that setup steps create, for .gitignore. */
  ignores: string[];
  /** Commands that a fresh GitHub runner needs first. */
  tools: string[];
  /** For the template `fullstack`. */
  services: FoundService[];
  technologies: string[];
  layout: string[];
  remarks: string[];
};

export type DetectOptions = {
  baseBranch: string;
  /** Default: the detected template. */
  template?: Template | undefined;
  /** The folders above a project inside a larger repository, nearest first. */
  above?: readonly ReadFiles[];
};

const frontends = ["frontend", "client", "web"];
const backends = ["backend", "server", "api"];

/** Reads the manifests of a project and finds its setup steps and gates. Writes nothing. */
export async function detectProject(
  files: ReadFiles,
  options: DetectOptions,
): Promise<DetectedProject> {
  const { baseBranch, above = [] } = options;
  const all = await readParts({ files, folder: "", above });
  const template = options.template ?? chooseTemplate(all);
  const parts = partsOf(template, all);
  const gates = parts.flatMap((part) => part.gates);
  const tests = gates.filter(({ role }) => role === "test");
  // The template `minimal` gets only the gate that proves most.
  const wantsTestsOnly = options.template === "minimal" && tests.length > 0;
  return {
    template,
    project:
      all.find(({ project }) => project)?.project ?? (files.root.split("/").at(-1) || "project"),
    baseBranch,
    found: parts.map(({ title }) => title),
    setup: parts.flatMap(({ setup }) => setup),
    gates: inOrder(wantsTestsOnly ? tests : gates),
    testExample: parts.find((part) => part.testExample)?.testExample ?? "make test",
    testPaths: widest(parts.flatMap(({ testPaths }) => testPaths)),
    ignores: unique(parts.flatMap(({ ignores }) => ignores)),
    tools: unique(parts.flatMap(({ tools }) => tools)),
    services: template === "fullstack" ? await findServices(files, parts) : [],
    technologies: technologyLines(parts),
    layout: await readLayout(files),
    remarks: parts.flatMap(({ remarks }) => remarks),
  };
}

async function readParts(root: PartLocation): Promise<Part[]> {
  const own = await readFolder(root);
  const covered = own.flatMap(({ packages = [] }) => packages);
  const below: Part[] = [];
  for (const folder of [...frontends, ...backends]) {
    if ((await root.files.stat(folder))?.kind !== "folder") continue;
    const found = await readFolder({ files: root.files, folder, above: [] });
    below.push(...found.filter(({ stack }) => stack !== "node" || !covered.includes(folder)));
  }
  const parts = [...own, ...below];
  const make = parts.some(({ gates }) => gates.length > 0) ? undefined : await readMakePart(root);
  return make ? [...parts, make] : parts;
}

async function readFolder(location: PartLocation): Promise<Part[]> {
  const [node, python] = [await readNodePart(location), await readPythonPart(location)];
  return [node, python, ...(await readOtherParts(location))].filter((part) => part !== undefined);
}

/** Both stacks, or a front end in a folder of its own, are `fullstack` (compatibility 1.18). */
function chooseTemplate(parts: readonly Part[]): Template {
  const has = (stack: Part["stack"]) => parts.some((part) => part.stack === stack);
  const hasFrontend = parts.some(
    ({ stack, folder }) => stack === "node" && frontends.includes(folder),
  );
  if (hasFrontend || (has("node") && has("python"))) return "fullstack";
  if (has("python")) return "python";
  return has("node") ? "node" : "minimal";
}

/** A template chosen by the user excludes other stacks. */
function partsOf(template: Template, parts: readonly Part[]): Part[] {
  const isAbout = ({ stack }: Part) =>
    template === "minimal" || template === "fullstack" || stack === template || stack === "other";
  return parts.filter(isAbout);
}

/** Fast gates first: a fatal failure skips those that follow. */
const inOrder = (gates: readonly FoundGate[]) =>
  gateRoles.flatMap((role) => gates.filter((gate) => gate.role === role));

const unique = (values: readonly string[]) => [...new Set(values)];

/** Drops a pattern for the root if the same pattern exists for every folder. */
const widest = (patterns: readonly string[]): string[] =>
  unique(patterns).filter((pattern) => !patterns.includes(`**/${pattern}`));

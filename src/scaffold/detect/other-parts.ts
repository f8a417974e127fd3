import { commandIn, type FoundGate, nameIn, type Part, type PartLocation, pathIn } from "./part.ts";
import { listNames, readTextFile } from "./read-optional.ts";
import { type ToolchainGate, toolchains } from "./toolchains.ts";

/** The parts of toolchains other than Node and Python. */
export async function readOtherParts({ files, folder }: PartLocation): Promise<Part[]> {
  const names = await listNames(files, folder);
  const inside = <Step extends { name: string; cmd: string }>(step: Step): Step => ({
    ...step,
    name: nameIn(folder, step.name),
    cmd: commandIn(folder, step.cmd),
  });
  const parts: Part[] = [];
  for (const { file, title, setup, gates, testPaths, ignores = [] } of toolchains) {
    const manifest = findName(names, file);
    if (manifest === undefined) continue;
    const path = pathIn(folder, manifest);
    const found = await foundGates(gates, { files, folder, names });
    parts.push({
      ...nothing,
      folder,
      title: `${title} (${path})`,
      setup: setup ? [{ ...inside(setup), cache: [path] }] : [],
      gates: found.map(inside),
      testPaths,
      ignores,
    });
  }
  return parts;
}

const findName = (names: readonly string[], file: string | RegExp) =>
  names.find((name) => (typeof file === "string" ? name === file : file.test(name)));

type Place = Pick<PartLocation, "files" | "folder"> & { names: readonly string[] };

async function foundGates(gates: readonly ToolchainGate[], place: Place): Promise<FoundGate[]> {
  const found: FoundGate[] = [];
  for (const { needs = [], ...gate } of gates) {
    const met = await Promise.all(needs.map((need) => isMet(need, place)));
    if (met.every(Boolean)) found.push(gate);
  }
  return found;
}

async function isMet(
  { file, holds = /^/ }: NonNullable<ToolchainGate["needs"]>[number],
  { files, folder, names }: Place,
): Promise<boolean> {
  const name = findName(names, file);
  const text = name === undefined ? undefined : await readTextFile(files, pathIn(folder, name));
  return text !== undefined && holds.test(text);
}

const nothing = {
  stack: "other" as const,
  folder: "",
  ignores: [],
  dependencies: [],
  tools: [],
  remarks: [],
};

const slow = { timeoutSeconds: 900 };

/** Targets of a Makefile that become gates. */
const targets: readonly [target: string, role: FoundGate["role"]][] = [
  ["lint", "lint"],
  ["typecheck", "typecheck"],
  ["test", "test"],
  ["check", "test"],
];

/** Gates from a Makefile, for projects without another toolchain. */
export async function readMakePart({ files, folder }: PartLocation): Promise<Part | undefined> {
  const text = await readTextFile(files, pathIn(folder, "Makefile"));
  if (text === undefined) return undefined;
  const defined = [...text.matchAll(/^([\w.-]+(?:[ \t]+[\w.-]+)*)[ \t]*:(?!=)/gm)];
  const all = defined.flatMap(([, list = ""]) => list.split(/\s+/));
  const found = targets.filter(([target]) => all.includes(target));
  const gates = found
    .filter(([target]) => target !== "check" || !all.includes("test"))
    .map(([target, role]): FoundGate => {
      const gate = { name: `make-${target}`, role, cmd: `make ${target}` };
      return role === "test" ? { ...gate, ...slow } : gate;
    });
  const remarks = gates.length > 0 ? [] : ["Makefile has no target test, check or lint."];
  return {
    ...nothing,
    title: "make (Makefile)",
    setup: [],
    gates,
    testPaths: ["**/tests/**", "**/test/**"],
    remarks,
  };
}

import type { ReadFiles } from "../../platform/system.ts";

/** What a gate is there for, in the order gates run: the fast ones first. */
export const gateRoles = ["lint", "typecheck", "build", "test"] as const;
export type GateRole = (typeof gateRoles)[number];

export type FoundGate = {
  name: string;
  role: GateRole;
  cmd: string;
  timeoutSeconds?: number;
  /** Why the gate cannot be green yet; it then does not stop a run that finds it red. */
  redBecause?: string;
};

export type FoundSetup = { name: string; cmd: string; cache: string[] };

/** One toolchain in one folder of the project, and what it lets us run. */
export type Part = {
  stack: "node" | "python" | "other";
  /** Relative to the project root; empty for the root itself. */
  folder: string;
  /** For people: what was recognised, by which files. */
  title: string;
  /** The project's name in its manifest. */
  project?: string;
  /** Folders whose scripts are started from this one: the packages of a workspace. */
  packages?: string[];
  setup: FoundSetup[];
  gates: FoundGate[];
  /** What would run its tests, to be shown where there is no gate. */
  testExample?: string;
  testPaths: string[];
  /** Names of what setup steps install, which git must not see. */
  ignores: string[];
  /** Names of packages the manifest asks for. */
  dependencies: string[];
  /** Commands that make the package manager available on a fresh GitHub runner. */
  tools: string[];
  /** What people should know about what was left out. */
  remarks: string[];
};

/** Where to look for a part; `above` are the names in the folders over it, up to the repository's root. */
export type PartLocation = { files: ReadFiles; folder: string; above: readonly string[] };

/** `name` inside the folder of a part. */
export const pathIn = (folder: string, name: string) =>
  folder === "" ? name : `${folder}/${name}`;

/** Gates and setup steps are run at the project root. */
export const commandIn = (folder: string, cmd: string) =>
  folder === "" ? cmd : `cd ${folder} && ${cmd}`;

/** Names of gates and setup steps stand once in a configuration. */
export const nameIn = (folder: string, name: string) =>
  folder === "" ? name : `${folder.replace(/[^a-z0-9_-]+/g, "-")}-${name}`;

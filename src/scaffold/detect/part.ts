import type { ReadFiles } from "../../platform/system.ts";

/** The roles of gates in the order they run: fast ones first. */
export const gateRoles = ["lint", "typecheck", "build", "test"] as const;
export type GateRole = (typeof gateRoles)[number];

export type FoundGate = {
  name: string;
  role: GateRole;
  cmd: string;
  timeoutSeconds?: number;
  /** Why the gate is red now; such a gate does not stop a run. */
  redBecause?: string;
};

export type FoundSetup = { name: string; cmd: string; cache: string[] };

/** One toolchain in one folder of the project, with its setup steps and gates. */
export type Part = {
  stack: "node" | "python" | "other";
  /** Relative to the project root; empty for the root itself. */
  folder: string;
  /** The toolchain and its files, for display. */
  title: string;
  /** The project's name in its manifest. */
  project?: string;
  /** Folders of the workspace's packages. */
  packages?: string[];
  setup: FoundSetup[];
  gates: FoundGate[];
  /** A test command to show when there is no gate. */
  testExample?: string;
  testPaths: string[];
  /** Folders that setup steps create, for .gitignore. */
  ignores: string[];
  /** Names of the required packages. */
  dependencies: string[];
  /** Commands that install the package manager on a fresh GitHub runner. */
  tools: string[];
  /** Remarks for the user about missing gates. */
  remarks: string[];
};

/** The folder of a part; `above` are the folders above the project, nearest first, up to the repository's root. */
export type PartLocation = { files: ReadFiles; folder: string; above: readonly ReadFiles[] };

/** `name` inside the folder of a part. */
export const pathIn = (folder: string, name: string) =>
  folder === "" ? name : `${folder}/${name}`;

/** Gates and setup steps run at the project root. */
export const commandIn = (folder: string, cmd: string) =>
  folder === "" ? cmd : `cd ${folder} && ${cmd}`;

/** Names of gates and setup steps are unique in a configuration. */
export const nameIn = (folder: string, name: string) =>
  folder === "" ? name : `${folder.replace(/[^a-z0-9_-]+/g, "-")}-${name}`;

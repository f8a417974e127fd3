import * as z from "zod";
import { Globs, HostEntry, rooted, VariableNames } from "../base/fields.ts";

const mebibyte = 1024 ** 2;

/** Protected paths, and limits for the size of a change (design 5). */
export const Protect = z.strictObject({
  allow: Globs.describe(
    "Protected paths that agents may change after all, such as .github/workflows/docs.yml",
  ),
  max_files: z.int().min(1).default(300).describe("Most files one task may change"),
  max_patch_bytes: z
    .int()
    .min(1)
    .default(4 * mebibyte)
    .describe("Largest patch of one task, in bytes"),
  max_file_bytes: z
    .int()
    .min(1)
    .default(mebibyte)
    .describe("Largest file a task may add, in bytes"),
});
export type Protect = z.output<typeof Protect>;

const networks = ["cage", "host", "none"] as const;

const NetworkSettings = z.strictObject({
  mode: z
    .enum(networks)
    .default("host")
    .describe(
      "Of agents. cage: their model provider, the registries of the project's package managers and `allow`; host: the machine's network; none: their model provider only",
    ),
  gates: z
    .enum(networks)
    .default("host")
    .describe("Of gates, criteria and setup steps: the same, without a model provider"),
  allow: z
    .array(HostEntry)
    .default([])
    .describe(
      "Further hosts inside the cage, such as docs.example.com, *.example.com (at public addresses only) or example.com:8443",
    ),
});

/** One word stands for the mode. */
const Network = z.union(
  [z.enum(networks).transform((mode) => NetworkSettings.parse({ mode })), NetworkSettings],
  { error: "must be cage, host or none, or an object with mode, gates and allow" },
);
export type Network = z.output<typeof Network>;

/** The limits of one call of an agent, a gate or a setup step (T45). */
const CallLimits = z.strictObject({
  processes: z.int().min(16).default(4096).describe("Most processes and threads at a time"),
  memory_mb: z
    .int()
    .min(64)
    .nullable()
    .default(null)
    .describe("Most memory of all its processes together, in MiB; null: what the machine has"),
  disk_mb: z
    .int()
    .min(16)
    .default(20_480)
    .describe("Most the disk may fill up during the call, and the largest file, in MiB"),
  open_files: z.int().min(64).default(65_536).describe("Most open files of each process"),
});

/** How agents and gates are confined (design 5). */
export const Sandbox = z.strictObject({
  mode: z
    .enum(["auto", "required", "off"])
    .default("auto")
    .describe("auto: use it if it works; required: stop if it does not; off: never"),
  network: Network.prefault({}).describe(
    "Network of agents: cage, host or none; or an object with the keys below",
  ),
  writable: z
    .array(rooted("must be an absolute path"))
    .default([])
    .describe("Absolute paths outside the work tree that stay writable, such as package caches"),
  env: VariableNames.describe(
    "Names of further environment variables that programs in the sandbox may see",
  ),
  limits: CallLimits.prefault({}).describe("What one call of an agent or a gate may use"),
});
export type Sandbox = z.output<typeof Sandbox>;

import * as z from "zod";
import { durationSchema, longestSeconds } from "../base/duration.ts";
import {
  GateName,
  Glob,
  RelativePath,
  RepositoryPath,
  ShellCommand,
  ShortName,
  VariableNames,
} from "../base/fields.ts";

/** The lists of gates: fast ones between iterations, and all that decide whether a task passes. */
export const gateLevels = ["build", "full"] as const;
export type GateLevel = (typeof gateLevels)[number];

/** The gate levels a run can choose for its iterations. */
export const gateChoices = [...gateLevels, "none"] as const;
export type GateChoice = (typeof gateChoices)[number];

export const Gate = z.strictObject({
  name: GateName.describe("Name of the gate, unique in its list"),
  cmd: ShellCommand.describe("Shell command, run at the project root; exit code 0 passes"),
  when: Glob.optional().describe(
    "File or glob; the gate is skipped while nothing matches. Default: always run",
  ),
  timeout_seconds: durationSchema({ min: 1, max: longestSeconds })
    .prefault(300)
    .describe("Time limit. A gate that takes longer has failed"),
  kind: z
    .literal("mutation")
    .optional()
    .describe(
      "mutation: the gate runs a mutation testing tool, whose score becomes part of the proof. Default: any other check",
    ),
  report: RelativePath.optional().describe(
    "The JSON report such a gate writes: the mutation-testing-report schema (Stryker and others), mutmut's export-cicd-stats, cargo-mutants' outcomes.json or go-mutesting's report.json",
  ),
  fatal: z.boolean().default(true).describe("Whether a failure fails the task; false only warns"),
  fixes: z
    .boolean()
    .optional()
    .describe(
      "Whether the gate may change the files it checks, as a formatter does: its changes become part of the work, and every gate runs again. Without it, a gate that changes files has no verdict",
    ),
  baseline: z
    .enum(["allow", "repair"])
    .optional()
    .describe(
      'A gate that fails on the start commit without naming a failure stops the run. With "allow" it may stay red; with "repair" every task must make it green',
    ),
});
export type Gate = z.output<typeof Gate>;

/** Only the full level is required: it decides whether a task is done (specs 004 8.1). */
export const Gates = z.strictObject({
  build: z.array(Gate).default([]).describe("Fast checks in the loop; if empty, the full ones run"),
  full: z.array(Gate).describe("Every check a task must pass before it is done"),
  env: VariableNames.describe(
    "Names of environment variables that gates, criteria and setup steps may see",
  ),
});
export type Gates = z.output<typeof Gates>;

/** Prepares a fresh checkout, once per machine and tree (design 4). */
export const SetupStep = z.strictObject({
  name: ShortName.describe("Name of the step, unique in the list"),
  cmd: ShellCommand.describe("Shell command, run at the project root, such as npm ci"),
  cache: z
    .array(RepositoryPath)
    .default([])
    .describe(
      "Files that decide the result, such as lockfiles; the step runs again when they change",
    ),
  timeout_seconds: durationSchema({ min: 1, max: 7200 }).prefault(900).describe("Time limit"),
});
export type SetupStep = z.output<typeof SetupStep>;

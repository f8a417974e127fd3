import * as z from "zod";
import { RelativePath, ShortName } from "../base/fields.ts";
import { AgentSettings } from "../config/agents.ts";
import { Task } from "./prd.ts";

const settings = AgentSettings.optional();

const Contestant = z.strictObject({
  all: settings.describe("Settings of every role"),
  implementation: settings.describe("Settings of the implementation, instead of those of all"),
  test_writing: settings.describe("Settings of the test writer"),
  review: settings.describe("Settings of the reviewer"),
});

const EvaluationTask = z
  .strictObject({
    ...Task.pick({
      title: true,
      acceptanceCriteria: true,
      requiresTests: true,
      changesBehaviour: true,
      order: true,
    }).shape,
    description: Task.shape.description.default("").describe("What to do and why"),
    start: z.string().min(1).default("HEAD").describe("The commit on which agents start"),
    hidden: RelativePath.optional().describe(
      "A folder beside this file. Its files are laid over the result, and decide whether it is right",
    ),
    hidden_commit: z
      .string()
      .min(1)
      .optional()
      .describe("Or a commit: the test files it changed are laid over the result"),
    impossible: z
      .literal(true)
      .optional()
      .describe("No work can do this, for example because its criteria contradict a test"),
  })
  .refine((task) => task.impossible || task.hidden || task.hidden_commit, {
    message: "needs `hidden`, `hidden_commit` or `impossible: true`",
  });
export type EvaluationTask = z.output<typeof EvaluationTask>;

/** A file for `ralph eval --tasks`. */
export const Evaluation = z
  .strictObject({
    version: z.literal("1").describe("Version of the format"),
    agents: z
      .record(ShortName, Contestant)
      .default({})
      .describe("Names for --agents; `command` may start with ./, from this file's folder"),
    tasks: z.array(EvaluationTask).default([]).describe("The tasks, each on a copy of its own"),
  })
  .meta({ title: "Evaluation", description: "Tasks for ralph eval" });
export type Evaluation = z.output<typeof Evaluation>;

import * as z from "zod";
import { between, Glob, Globs, ModelName, RelativePath } from "../base/fields.ts";

export const providers = ["anthropic", "openai", "openrouter", "gateway", "claude_cli"] as const;
export type Provider = (typeof providers)[number];

const ReportAnalysis = z.strictObject({
  provider: z
    .enum(providers)
    .optional()
    .describe("Who analyses reports. Default: the first one with a key in the environment"),
  model: ModelName.optional().describe("Model for the analysis. Default: the provider's"),
  recent_days: between(1, 365)
    .default(7)
    .describe("Ignore items that were fixed within this many days"),
});

const PrdSettings = z.strictObject({
  mode: z.enum(["autonomous", "interactive"]).default("autonomous").describe("Whether it may ask"),
  output_dir: RelativePath.default("./tasks").describe("Folder for the documents"),
  auto_commit: z.boolean().default(true).describe("Whether the document is committed"),
});

const TaskSettings = z.strictObject({
  output: RelativePath.default(".ralph/prd.json").describe("Task list that is written"),
  min_count: between(1, 999).default(8).describe("Fewest tasks"),
  max_count: between(1, 999).default(15).describe("Most tasks"),
  auto_commit: z.boolean().default(true).describe("Whether the task list is committed"),
});

const Memory = z.strictObject({
  progress: RelativePath.default(".ralph/progress.txt").describe("Progress log"),
  archive: z
    .union([z.literal(false), RelativePath])
    .default(".ralph/archive")
    .describe("Folder for finished runs, or false to keep none"),
});

const CodeResearch = z.strictObject({
  enabled: z.boolean().default(true).describe("Whether this part of the code is read"),
  patterns: Globs.describe("Files that belong to it"),
});

const Research = z.strictObject({
  enabled: z.boolean().default(false).describe("Whether there is research before the document"),
  backend: CodeResearch.prefault({}).describe("Server side code"),
  frontend: CodeResearch.prefault({}).describe("Front end code"),
  web: z
    .strictObject({
      enabled: z.boolean().default(false).describe("Whether the web is searched"),
      max_queries: between(1, 20).default(5).describe("Most searches"),
    })
    .prefault({})
    .describe("Search on the web"),
});

/** From a report to a pull request (specs 004 2.3, compatibility 1.14). */
export const Autopilot = z.strictObject({
  enabled: z
    .boolean()
    .default(false)
    .describe("Whether labels, pushes and schedules may start it; an explicit command always may"),
  reports_dir: RelativePath.default("./reports").describe("Folder with reports"),
  report_patterns: z
    .array(Glob)
    .default(["*.md", "*.txt", "*.json", "*.html"])
    .describe("Which files there are reports"),
  branch_prefix: z
    .string()
    .regex(/^[a-z0-9][a-z0-9/-]*$/, "may only hold a-z, 0-9, hyphens and slashes")
    .default("ralph/")
    .describe("Start of every branch name"),
  create_pr: z.boolean().default(true).describe("Whether a pull request is opened"),
  schedule: z
    .enum(["hourly", "daily", "weekly", "weekdays", "twice-daily"])
    .optional()
    .describe("How often it starts by itself. Default: never"),
  schedule_time: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as "02:00"')
    .default("02:00")
    .describe("Time of day (UTC) for the schedule"),
  analysis: ReportAnalysis.prefault({}).describe("How reports are analysed"),
  prd: PrdSettings.prefault({}).describe("How the requirements document is written"),
  tasks: TaskSettings.prefault({}).describe("How the task list is written"),
  memory: Memory.prefault({}).describe("What is kept between runs"),
  research: Research.prefault({}).describe("What is looked up before the document is written"),
});
export type Autopilot = z.output<typeof Autopilot>;

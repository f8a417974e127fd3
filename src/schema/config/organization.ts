import * as z from "zod";
import { between } from "../base/fields.ts";
import { Autopilot } from "./autopilot.ts";
import { Limits } from "./limits.ts";
import { Triggers } from "./publishing.ts";

const { label, autopilot_label, commands, reports } = Triggers.shape;
const triggers = z.strictObject({
  label: label.unwrap().optional().describe("Issue label that starts a run"),
  autopilot_label: autopilot_label.unwrap().optional().describe("Issue label for the autopilot"),
  commands: commands.unwrap().optional().describe("Whether comments start runs"),
  reports: reports.unwrap().optional().describe("Whether a pushed report starts the autopilot"),
});

const { enabled, schedule, schedule_time, reports_dir, report_patterns } = Autopilot.shape;
const autopilot = z.strictObject({
  enabled: enabled
    .unwrap()
    .optional()
    .describe("Whether labels, pushes and schedules may start it"),
  schedule: schedule.describe("How often it starts by itself"),
  schedule_time: schedule_time.unwrap().optional().describe("Time of day (UTC) for the schedule"),
  reports_dir: reports_dir.unwrap().optional().describe("Folder with reports"),
  report_patterns: report_patterns.unwrap().optional().describe("Which files there are reports"),
});

const { open_prs, runs_per_day, budget_usd_per_day } = Limits.shape;
const limits = z.strictObject({
  open_prs: open_prs.unwrap().optional().describe("Most open pull requests in a repository"),
  runs_per_day: runs_per_day.unwrap().optional().describe("Runs a repository may start in a day"),
  budget_usd_per_day: budget_usd_per_day
    .unwrap()
    .optional()
    .describe("Most cost of a repository in a day (UTC), US dollars"),
});

/** `.ralph/organization.yml` in the `.github` repository of an owner: what the App does in all of its repositories. */
export const Organization = z
  .strictObject({
    version: z.literal("1").describe("Version of this format"),
    defaults: z
      .strictObject({
        triggers: triggers.optional().describe("What starts a run"),
        autopilot: autopilot.optional().describe("From a report to a pull request"),
        limits: limits.optional().describe("Limits of each repository"),
      })
      .optional()
      .describe("Values for keys that a repository's own .ralph/ralph.yml leaves out"),
    limits: z
      .strictObject({
        runs_per_day: between(0, 100_000).optional().describe("Runs of all repositories"),
        budget_usd_per_day: z
          .number()
          .min(0)
          .optional()
          .describe("Most cost of all repositories in a day (UTC), US dollars"),
      })
      .default({})
      .describe("Limits of all repositories together"),
    repositories: z
      .array(z.string().min(1).max(100))
      .max(1000)
      .optional()
      .describe('Names or patterns of the repositories that may use ralph; "!" excludes'),
    paused: z.boolean().default(false).describe("Nothing starts in any repository"),
  })
  .meta({
    title: "Organization",
    description:
      "Settings for all repositories of an owner, .ralph/organization.yml in its .github repository",
  });
export type Organization = z.output<typeof Organization>;

/** Values for keys that a repository's own configuration leaves out. */
export type ConfigDefaults = NonNullable<Organization["defaults"]>;

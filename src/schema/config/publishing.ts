import * as z from "zod";
import { GitBranch } from "../base/fields.ts";

export const Git = z.strictObject({
  base_branch: GitBranch.describe("Branch that pull requests go to"),
  remote: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]*$/, "must be the name of a git remote")
    .default("origin")
    .describe("Remote that branches are pushed to"),
});
export type Git = z.output<typeof Git>;

/** Placeholders: {priority_item}, {description}, {rationale}, {task_summary}; unknown ones stay as they are. */
export const PullRequest = z.strictObject({
  enabled: z.boolean().default(true).describe("Whether pull requests are opened"),
  title_template: z
    .string()
    .min(1)
    .max(256)
    .default("Ralph: {priority_item}")
    .describe("Title, with placeholders such as {priority_item}"),
  body_template: z
    .string()
    .optional()
    .describe("First section of the text, with placeholders such as {description}"),
  images: z
    .enum(["link", "branch"])
    .default("link")
    .describe(
      "Where a pull request's pictures are: only named, or shown from a branch ralph/evidence/SESSION",
    ),
});
export type PullRequest = z.output<typeof PullRequest>;

const foreignDialects = ["omx", "omc", "claude-ralph", "agent-teams"] as const;

export const Compat = z.strictObject({
  emit: z
    .array(z.enum(foreignDialects))
    .default([])
    .describe("Other tools whose state files ralph also writes"),
});
export type Compat = z.output<typeof Compat>;

const label = z.string().min(1).max(50);

/** The triggers of a run on GitHub (design 6). */
export const Triggers = z.strictObject({
  label: label.default("ralph").describe("Issue label that starts a run"),
  autopilot_label: label
    .default("ralph:autopilot")
    .describe("Issue label that starts the autopilot"),
  commands: z.boolean().default(true).describe("Whether comments such as /ralph run start runs"),
  reports: z.boolean().default(true).describe("Whether a pushed report starts the autopilot"),
});
export type Triggers = z.output<typeof Triggers>;

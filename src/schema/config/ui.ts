import * as z from "zod";
import { durationSchema } from "../base/duration.ts";
import { Globs, RelativePath, WebAddress } from "../base/fields.ts";

const UiTest = z.strictObject({
  name: z.string().min(1).describe("Name of the test"),
  action: z.string().min(1).describe('What to do, such as open or click_tab("Dashboard")'),
  expected: z.string().optional().describe("Regular expression the page must match afterwards"),
});

const AgentBrowser = z.strictObject({
  enabled: z.boolean().default(false).describe("Whether these tests run"),
  script: RelativePath.optional().describe("Test script"),
  tests: z.array(UiTest).default([]).describe("Tests written here instead of in a script"),
});

const BrowserUse = z.strictObject({
  enabled: z.boolean().default(false).describe("Whether these tests run"),
  base_url: WebAddress.optional().describe("Address the tests start from"),
  timeout: durationSchema({ min: 10, max: 600 }).prefault(120).describe("Time limit, in seconds"),
  screenshot_on_failure: z.boolean().default(true).describe("Whether a failure saves a screenshot"),
});

const RobotVariable = z.union([z.string(), z.number(), z.boolean()], {
  error: "must be text, a number, true or false",
});

const Robot = z.strictObject({
  enabled: z.boolean().default(false).describe("Whether these tests run"),
  suite: RelativePath.optional().describe("Folder of the Robot Framework suite"),
  variables: z
    .record(z.string(), RobotVariable.transform(String))
    .default({})
    .describe("Variables passed to the suite"),
  auto_generate: z.boolean().default(false).describe("Whether an agent may write missing tests"),
});

/** User interface tests after the last task (specs 004 2.3). */
export const Ui = z.strictObject({
  agent_browser: AgentBrowser.prefault({}).describe(
    "Tests that ralph performs in the machine's own Chromium",
  ),
  browser_use: BrowserUse.prefault({}).describe("Limits of these tests"),
  robot: Robot.prefault({}).describe("Tests with Robot Framework"),
  frontend_paths: Globs.describe("Files that make up the front end"),
});
export type Ui = z.output<typeof Ui>;

import * as z from "zod";
import { Glob, RelativePath } from "../base/fields.ts";
import { Agents } from "./agents.ts";
import { Autopilot } from "./autopilot.ts";
import { Gates, SetupStep } from "./gates.ts";
import { Breaker, Limits } from "./limits.ts";
import { Pricing } from "./pricing.ts";
import { Proof, Tests } from "./proof.ts";
import { Compat, Git, PullRequest, Triggers } from "./publishing.ts";
import { Protect, Sandbox } from "./safety.ts";
import { Services } from "./services.ts";
import { Ui } from "./ui.ts";

/** The widest of the published defaults (compatibility 1.12). */
const testPaths = ["tests/**", "test/**", "**/__tests__/**", "**/*.test.*", "**/*.spec.*"];

const TaskSource = z.strictObject({
  type: z
    .enum(["prd_json", "cr_markdown"])
    .describe("prd_json: a JSON task list; cr_markdown: a list inside a change request"),
  path: RelativePath.describe("The task list; for cr_markdown a glob is allowed"),
});

/** The lessons of agents about a repository (decision 0014). */
const Memory = z.strictObject({
  learnings: z
    .enum(["propose", "write", "off"])
    .default("propose")
    .describe(
      "propose: the pull request offers them; write: also into AGENTS.md, for lists that a person wrote; off: neither",
    ),
});

/** Where the configuration is, unless an option or a variable names another file. */
export const configFile = ".ralph/ralph.yml";

/** `.ralph/ralph.yml` (specs 004 2.3, compatibility 1.14, design 7). Every object is closed; the parsed value has all defaults. */
export const Config = z
  .strictObject({
    version: z
      .literal("1", { error: 'must be the text "1"; write version: "1", with the quotes' })
      .describe("Version of the format"),
    task_source: TaskSource.describe("Where the tasks are"),
    setup: z.array(SetupStep).default([]).describe("Commands that prepare a fresh checkout"),
    services: Services.default({}).describe("Programs that must be up for some criteria, by name"),
    gates: Gates.describe("Quality checks"),
    test_paths: z
      .array(Glob)
      .min(1)
      .default(testPaths)
      .describe("Files the test-writing agent may change"),
    tests: Tests.prefault({}).describe("When tests are written, and rules for existing ones"),
    proof: Proof.prefault({}).describe("What shows that tests depend on the work"),
    ui: Ui.prefault({}).describe("User interface tests"),
    agents: Agents.prefault({}).describe("Which agent does what"),
    limits: Limits.prefault({}).describe("When to stop"),
    pricing: Pricing.default({}).describe(
      "Prices by model name; the name default is for all other models. For budgets with agent programs that report no cost",
    ),
    breaker: Breaker.prefault({}).describe("What happens when the agent program fails"),
    protect: Protect.prefault({}).describe("What agents may not change"),
    sandbox: Sandbox.prefault({}).describe("How agents and gates are confined"),
    autopilot: Autopilot.prefault({}).describe("From a report to a pull request"),
    memory: Memory.prefault({}).describe("What agents learn about the repository"),
    git: Git.describe("Branch and remote"),
    pr: PullRequest.prefault({}).describe("Pull requests"),
    commits: z
      .enum(["git", "api"])
      .default("git")
      .describe("git: made locally and pushed; api: made by GitHub, signed by it"),
    compat: Compat.prefault({}).describe("Files for other tools"),
    triggers: Triggers.prefault({}).describe("What starts a run on GitHub"),
    skills: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Read for compatibility, not used"),
  })
  .meta({ title: "Configuration", description: "Configuration of ralph, .ralph/ralph.yml" });
export type Config = z.output<typeof Config>;

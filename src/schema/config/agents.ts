import * as z from "zod";
import { durationSchema, longestSeconds } from "../base/duration.ts";
import { ModelName, VariableNames } from "../base/fields.ts";

/** All roles of agent programs, in the order of a task's life. */
export const agentRoles = [
  "implementation",
  "test_writing",
  "review",
  "fix",
  "planning",
  "ui_testing",
] as const;
export type AgentRole = (typeof agentRoles)[number];

/** The time limit of one agent call. */
export const AgentTimeout = durationSchema({ min: 1, max: longestSeconds });

export const AgentSettings = z.strictObject({
  model: ModelName.optional().describe("Model to ask for. Default: the agent program's own choice"),
  timeout: AgentTimeout.optional().describe(
    "Time limit of one call, in seconds. Default: limits.claude_timeout",
  ),
  allowed_tools: z
    .array(z.string().min(1))
    .default([])
    .describe("Tools the agent may use. Empty: all that the role allows"),
  driver: z
    .string()
    .min(1)
    .default("claude")
    .describe("Which agent program is called: claude, codex, command, ..."),
  command: z
    .string()
    .min(1)
    .optional()
    .describe("Program to start instead of the driver's own; a path or a name on PATH"),
  args: z.array(z.string()).default([]).describe("Arguments put before the driver's own"),
});
export type AgentSettings = z.output<typeof AgentSettings>;

const settings = AgentSettings.prefault({});

const own = AgentSettings.optional();

const Roles = z.strictObject({
  implementation: settings.describe("Writes the code of a task"),
  test_writing: settings.describe("Writes tests; may only change files in test_paths"),
  review: settings.describe("Judges the work; changes nothing"),
  fix: own.describe(
    "Repairs what a verification finds. Default: program and model of agents.implementation",
  ),
  planning: own.describe("Plans such repairs; changes nothing. Default: as agents.fix"),
  ui_testing: settings.describe("Plans and writes user interface tests"),
  env: VariableNames.describe(
    "Names of environment variables the agent program may see, such as its own key",
  ),
  credentials: z
    .enum(["proxied", "passed"])
    .default("passed")
    .describe("Whether the agent gets its model key itself (passed) or a stand-in (proxied)"),
});

/** The program that implements also repairs, and the one that repairs also plans repairs, unless another one is configured. */
export const Agents = Roles.transform(({ fix, planning, ...roles }) => ({
  ...roles,
  fix: fix ?? { ...roles.implementation, allowed_tools: [] },
  planning: planning ?? AgentSettings.parse({}),
  repair_planner: planning ? ("planning" as const) : ("fix" as const),
}));
export type Agents = z.output<typeof Agents>;

/** The settings of the program that a run or a verification calls for a role. */
export const settingsFor = (agents: Agents, role: AgentRole): AgentSettings =>
  agents[role === "planning" ? agents.repair_planner : role];

/** The agents of a parsed configuration as a file names them: parsed again they are the same. */
export function writtenAgents({
  repair_planner,
  planning,
  ...agents
}: Agents): z.input<typeof Agents> {
  return { ...agents, ...(repair_planner === "planning" && { planning }) };
}

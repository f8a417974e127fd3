import { agentTeams } from "../../dialects/agent-teams/agent-teams.ts";
import {
  numberDefaults,
  readTeamConfig,
  type TeamConfig,
} from "../../dialects/agent-teams/schema/config.ts";
import { readHookInput, type TeamHookInput } from "../../dialects/agent-teams/schema/hook.ts";
import { readForeign } from "../../entry/foreign-tree.ts";
import { RalphError } from "../../error.ts";
import { type Config, configFile } from "../../schema/config/config.ts";
import type { Gate } from "../../schema/config/gates.ts";
import { findRoot } from "../../session/open/locate-project.ts";
import { readConfig } from "../../sources/config-file.ts";
import type { CommandContext } from "../core/command.ts";

const teamFile = ".ralph/config.sh";
/** A teammate waits for the hook. */
const longestSeconds = 120;

/** The settings for the teammates of a project, from ralph.yml, else from config.sh (specs 003). */
export interface Team {
  root: string;
  gates: readonly Gate[];
  gateEnv: readonly string[];
  maxFailures: number;
  settings: TeamConfig;
}

/** Runs a hook of Agent Teams: 0 without an event or a team, 2 after an error in the settings. */
export async function withTeam(
  context: CommandContext,
  input: string,
  { act, note = "" }: { act: (team: Team, event: TeamHookInput) => Promise<number>; note?: string },
): Promise<number> {
  const event = readHookInput(input);
  if (!event) return 0;
  try {
    const team = await findTeam(context, event);
    return team ? await act(team, event) : 0;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    context.output.problem(`${error.message}\n${note}${error.remedy}`);
    return 2;
  }
}

/** The team of the project an event comes from, or undefined. Warns about unusable lines of config.sh. */
export async function findTeam(
  { system, output, directory, globals }: CommandContext,
  { cwd }: TeamHookInput,
): Promise<Team | undefined> {
  const named = system.env.CLAUDE_PROJECT_DIR || cwd;
  const root = await findRoot(system, named?.startsWith("/") ? named : directory);
  const files = system.files(root);
  const path = globals.config || configFile;
  const hasConfig = (await files.stat(path)) !== undefined;
  const text = (await files.read(teamFile, { maxBytes: 64 * 1024 }))?.toString();
  if (!hasConfig && text === undefined) return undefined;
  const { config: settings, findings } = readTeamConfig(text ?? "");
  for (const { path: at, message } of findings) {
    output.problem(`Warning: ${teamFile}:${String(at[0])}: this line ${message}`);
  }
  if (!hasConfig) return { root, settings, ...ofTeam(settings) };
  const { config } = await readConfig(files, path);
  return {
    root,
    settings,
    gates: config.gates.full.map(bounded),
    gateEnv: config.gates.env,
    maxFailures: maxFailuresOf(config, settings),
  };
}

/** A number in config.sh is more than the default of ralph.yml, and less than a number there. */
function maxFailuresOf({ breaker }: Config, { named, numbers }: TeamConfig): number {
  const isDefault = breaker.max_consecutive_failures === numberDefaults.MAX_CONSECUTIVE_FAILURES;
  const isNamed = named.includes("MAX_CONSECUTIVE_FAILURES");
  return isDefault && isNamed ? numbers.MAX_CONSECUTIVE_FAILURES : breaker.max_consecutive_failures;
}

const bounded = (gate: Gate): Gate => ({
  ...gate,
  timeout_seconds: Math.min(gate.timeout_seconds, longestSeconds),
});

function ofTeam({ gates, numbers, qualityLevel }: TeamConfig) {
  const wanted = qualityLevel === "prototype" ? [] : gates;
  return {
    gates: wanted.map(({ name, cmd }) => ({
      name,
      cmd,
      timeout_seconds: longestSeconds,
      fatal: true,
    })),
    gateEnv: [],
    maxFailures: numbers.MAX_CONSECUTIVE_FAILURES,
  };
}

/** The state files of the team; prints their problems. */
export async function readTeamState({ system, output }: CommandContext, { root }: Team) {
  const { tree, problems } = await readForeign(system.files(root), agentTeams);
  for (const { file, message } of problems) output.problem(`${file}: ${message}`);
  return { tree, isBroken: problems.length > 0 };
}

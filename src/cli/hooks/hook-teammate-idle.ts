import type { Command } from "commander";
import { teammateOf } from "../../dialects/agent-teams/schema/hook.ts";
import { decideIdle, renderHandoff } from "../../dialects/agent-teams/team-state.ts";
import { readInput } from "../../platform/input.ts";
import { addAction, type CommandContext, type CommandHost } from "../core/command.ts";
import { readTeamState, type Team, withTeam } from "./hook-team.ts";

const help = `
Lets the teammate stop (exit code 0) when .ralph/ABORT exists, its circuit
breaker is open, no task is left, or it has completed MAX_TASKS_PER_TEAMMATE
tasks (the hook then writes .ralph/handoff-NAME.md for the next teammate).
Otherwise the teammate continues (exit code 2).

Example, in .claude/settings.json:
  "hooks": {"TeammateIdle": [{"hooks": [{"type": "command",
    "command": "ralph hook teammate-idle"}]}]}`;

/** `ralph hook teammate-idle`: decides whether an idle teammate stops (specs 003, TeammateIdle hook). */
export function addTeammateIdle(group: Command, host: CommandHost): void {
  const command = group
    .command("teammate-idle")
    .summary("a teammate of Agent Teams has nothing to do")
    .description("Decides whether an idle teammate stops or continues.")
    .addHelpText("after", help);
  addAction(command, host, async (context) => teammateIdle(context, await readInput()));
}

const rests = 0;
const goesOn = 2;

/** After an error in the settings the teammate continues, so that open tasks are not lost. */
export const teammateIdle = (context: CommandContext, input: string): Promise<number> =>
  withTeam(context, input, { act: (team, event) => decide(context, team, teammateOf(event)) });

async function decide(context: CommandContext, team: Team, name: string) {
  const { system, output } = context;
  const { tree, isBroken } = await readTeamState(context, team);
  // No teammate continues with broken state (specs 003, troubleshooting).
  if (isBroken) return rests;
  const maxTasks = team.settings.numbers.MAX_TASKS_PER_TEAMMATE;
  const idle = decideIdle(tree, name, { maxFailures: team.maxFailures, maxTasks });
  output.problem(idle.message);
  if (idle.kind === "rotates") {
    const files = system.files(team.root);
    const path = `.ralph/handoff-${name}.md`;
    if (!(await files.stat(path))) await files.write(path, renderHandoff(tree, name, idle));
  }
  return idle.kind === "works" ? goesOn : rests;
}

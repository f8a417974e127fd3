import type { Command } from "commander";
import { readTeamTaskText } from "../../dialects/agent-teams/schema/criteria.ts";
import {
  coverageIn,
  type TeamHookInput,
  teammateOf,
} from "../../dialects/agent-teams/schema/hook.ts";
import { completedFiles } from "../../dialects/agent-teams/team-counters.ts";
import { openTasks } from "../../dialects/agent-teams/team-tasks.ts";
import { RalphError } from "../../error.ts";
import { gateEnvironment } from "../../gates/gate-environment.ts";
import { type GateDeps, runGate } from "../../gates/gates.ts";
import { findShell } from "../../gates/run-shell.ts";
import { locateRepository } from "../../git/repository/locate-repository.ts";
import { excludeOwnFiles } from "../../git/worktree/session-exclude.ts";
import { readInput } from "../../platform/input.ts";
import { updateLocked } from "../../platform/locks/file-locks.ts";
import { createRedactor } from "../../platform/secrets/redact.ts";
import { secretValues } from "../../platform/secrets/secret-values.ts";
import { addAction, type CommandContext, type CommandHost } from "../core/command.ts";
import { pathsIn } from "../validate/check-conditions.ts";
import { readTeamState, type Team, withTeam } from "./hook-team.ts";

const help = `
Runs the gates of .ralph/ralph.yml, or else of .ralph/config.sh, in order. The
first failing gate rejects the task (exit code 2) and shows the teammate the end
of its output. The result is counted in .ralph/failures.json and
.ralph/metrics.json. Outside of a ralph project every task is accepted.

Example, in .claude/settings.json:
  "hooks": {"TaskCompleted": [{"hooks": [{"type": "command",
    "command": "ralph hook task-completed", "timeout": 600}]}]}`;

/** `ralph hook task-completed`: the gates accept or reject a teammate's task (specs 003, TaskCompleted hook). */
export function addTaskCompleted(group: Command, host: CommandHost): void {
  const command = group
    .command("task-completed")
    .summary("a teammate of Agent Teams has completed a task")
    .description("Runs the project's gates and accepts or rejects the completed task.")
    .addHelpText("after", help);
  addAction(command, host, async (context) => taskCompleted(context, await readInput()));
}

const accepted = 0;
const rejected = 2;

/** Accepts input that is not an event, as other hooks do. */
export const taskCompleted = (context: CommandContext, input: string): Promise<number> =>
  withTeam(context, input, {
    act: (team, event) => judge(context, team, event),
    note: "No gate ran. ",
  });

/** The counters belong in no commit. A project outside of git has none. */
async function hideCounters({ system }: CommandContext, { root }: Team): Promise<void> {
  try {
    await excludeOwnFiles(system, await locateRepository(system, root));
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
  }
}

async function judge(context: CommandContext, team: Team, event: TeamHookInput): Promise<number> {
  const { system, output } = context;
  const { passed, failure } = await runGates(context, team, event);
  const { tree } = await readTeamState(context, team);
  const name = teammateOf(event);
  const counted = completedFiles({
    name,
    gatesPassed: passed,
    failure: failure?.title,
    pending: openTasks(tree).length,
    now: new Date(system.clock.now()).toISOString(),
  });
  await hideCounters(context, team);
  const written = await updateLocked(system.files(team.root), counted.files);
  if (written.kind === "held") {
    output.problem(
      `The result was not counted: another program has held ${written.lock} for ten seconds.`,
    );
  }
  if (!failure) return accepted;
  const count = `${counted.consecutiveFailures()} of ${team.maxFailures} failures in a row`;
  output.problem(
    `${failure.title}\n\n${failure.output}\n\nFix it, then complete the task again (${name}: ${count}).`,
  );
  return rejected;
}

/** The number of green gates and the first fatal failure. */
async function runGates(
  context: CommandContext,
  team: Team,
  event: TeamHookInput,
): Promise<{ passed: number; failure: { title: string; output: string } | undefined }> {
  const deps = await gateDeps(context, team);
  const strategy = readTeamTaskText(event.task_description ?? "").scenarioStrategy;
  const gates = team.gates.filter(({ name }) => name !== "test" || strategy !== "not-applicable");
  const subject = (event.task_subject ?? "the task").slice(0, 200);
  let passed = 0;
  for (const gate of gates) {
    const { status, detail, output } = await runGate(deps, gate);
    const low = gate.name === "coverage" ? lowCoverage(output, team) : undefined;
    const isGreen = status === "passed" && low === undefined;
    if (isGreen) passed += 1;
    if (isGreen || status === "skipped" || !gate.fatal) continue;
    const title = `Gate '${gate.name}' failed for: ${subject} (${low ?? detail.split("\n")[0]})`;
    return { passed, failure: { title, output: output.trim().slice(-800) } };
  }
  return { passed, failure: undefined };
}

function lowCoverage(output: string, { settings }: Team): string | undefined {
  const wanted = settings.numbers.MIN_TEST_COVERAGE;
  const found = coverageIn(output);
  return found !== undefined && found < wanted
    ? `coverage ${found} %, required ${wanted} %`
    : undefined;
}

async function gateDeps(
  { system, signal }: CommandContext,
  { root, gateEnv }: Team,
): Promise<GateDeps> {
  const env = gateEnvironment(system.env, gateEnv);
  return {
    supervise: system.supervise,
    shell: await findShell(system, { root, env }),
    root,
    env,
    wrap: (program) => program,
    redact: createRedactor(secretValues(system.env)),
    signal,
    paths: async () => (await pathsIn(system, root)) ?? [],
  };
}

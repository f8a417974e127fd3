import { text } from "node:stream/consumers";
import { Role } from "../../core/state/roles.ts";
import { RalphError } from "../../error.ts";
import { createSystem } from "../../platform/create-system.ts";
import type { Environment, System } from "../../platform/system.ts";
import { perform, type Stage } from "./perform.ts";
import { type Cue, choosePerformance } from "./scenario.ts";
import { readScenario } from "./scenario-file.ts";

/**
 * The program behind the `scripted` driver: `scripted-agent SCENARIO`, the prompt on stdin. A process of its own
 * like any agent, so that limits, sandbox and signals are the real ones. Exit 127: the scenario cannot be played.
 */
async function main(system: System, path: string): Promise<number> {
  const prompt = await text(process.stdin);
  const cue = cueOf(system.env);
  try {
    const scenario = await readScenario(system, path);
    const performance = choosePerformance(scenario, cue);
    if (performance) return await perform(stageOf(system), { scenario, performance, cue, prompt });
    const { role, task, attempt } = cue;
    return complain(`${path} has no call for ${role} of ${task}, attempt ${attempt}`);
  } catch (error) {
    if (error instanceof RalphError) return complain(error.message);
    throw error;
  }
}

function cueOf({ RALPH_TASK_ID = "", RALPH_ROLE, RALPH_ATTEMPT }: Environment): Cue {
  const attempt = Number(RALPH_ATTEMPT);
  return {
    task: RALPH_TASK_ID,
    role: Role.catch("implementation").parse(RALPH_ROLE),
    attempt: Number.isInteger(attempt) && attempt > 0 ? attempt : 1,
  };
}

function stageOf(system: System): Stage {
  return {
    system,
    cwd: process.cwd(),
    print: (piece) => new Promise((resolve) => process.stdout.write(piece, () => resolve())),
    crash: () => {
      process.kill(process.pid, "SIGKILL");
      return Promise.withResolvers<number>().promise;
    },
  };
}

/** As a shell says that there is nothing to run: the loop then names the configuration, not the agent. */
function complain(message: string): number {
  process.stderr.write(`${message}\n`);
  return 127;
}

process.exitCode = await main(createSystem(), process.argv[2] ?? "");

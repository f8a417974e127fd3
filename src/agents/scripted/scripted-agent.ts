import { basename, dirname, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { Role } from "../../core/state/roles.ts";
import { RalphError } from "../../error.ts";
import { createSystem } from "../../platform/create-system.ts";
import type { Environment, System } from "../../platform/system.ts";
import type { Checked } from "../../schema/base/check-shape.ts";
import type { Refusal } from "../../sources/accept-source.ts";
import { acceptSource } from "../../sources/accept-source.ts";
import { parseYaml } from "../../sources/parse-yaml.ts";
import { readSource } from "../../sources/read-source.ts";
import { perform, type Stage } from "./perform.ts";
import { type Cue, choosePerformance, Scenario } from "./scenario.ts";

const maxBytes = 256 * 1024;

/** Reads a scenario, YAML or JSON. Throws RalphError with every problem as `file:line:column`. */
async function readScenario({ files }: Pick<System, "files">, path: string): Promise<Scenario> {
  const refusal: Refusal = {
    reason: "config",
    file: basename(path),
    remedy: "Correct the scenario that `agents.<role>.command` names.",
  };
  const folder = files(dirname(resolve(path)));
  const bytes = await readSource(folder, { maxBytes, missing: refusal });
  const parsed = parseYaml({ bytes, file: refusal.file, maxBytes });
  return acceptSource(parsed, { check: checkScenario, refusal }).data;
}

function checkScenario(value: unknown): Checked<Scenario> {
  const { data, error } = Scenario.safeParse(value);
  const issues = error?.issues ?? [];
  return {
    data,
    findings: issues.map(({ path, message }) => ({ severity: "error", path, message })),
  };
}

/** `scripted-agent SCENARIO`: a real process, so that limits and sandbox apply. Exit 127: it cannot be played. */
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

const stageOf = (system: System): Stage => ({
  system,
  cwd: process.cwd(),
  print: (piece) => new Promise((resolve) => process.stdout.write(piece, () => resolve())),
  crash: () => {
    process.kill(process.pid, "SIGKILL");
    return Promise.withResolvers<number>().promise;
  },
});

/** As a shell says that there is nothing to run: the loop then names the configuration, not the agent. */
function complain(message: string): number {
  process.stderr.write(`${message}\n`);
  return 127;
}

process.exitCode = await main(createSystem(), process.argv[2] ?? "");

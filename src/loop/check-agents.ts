import type { Driver, Program } from "../agents/driver.ts";
import { driverNamed } from "../agents/drivers.ts";
import { agentEnvironment } from "../agents/environment.ts";
import { programOf } from "../agents/program.ts";
import { RalphError } from "../error.ts";
import type { Config } from "../model/config.ts";
import type { System } from "../system/system.ts";

/** The roles a session calls. */
export const calledRoles = ["implementation", "test_writing", "review"] as const;

/**
 * Fails before anything is written or spent (exit 1): an unknown driver, a program that is not there, a variable
 * no agent may have.
 */
export async function checkAgents(
  system: Pick<System, "ask" | "env">,
  { config, root }: { config: Config; root: string },
): Promise<void> {
  const names = [...config.agents.env, ...config.sandbox.env];
  const identity = { role: "review", taskId: "", attempt: 1, sessionDir: "" } as const;
  agentEnvironment(system.env, { names, credentials: [], driver: {}, identity });
  const called = new Map(calledRoles.map((role) => calledBy(system, config.agents[role])));
  for (const [file, driver] of called) {
    if (!(await isThere(system, { file, root }))) throw missing(file, driver);
  }
}

function calledBy(
  { env }: Pick<System, "env">,
  settings: Config["agents"]["implementation"],
): [string, Driver] {
  const driver = driverNamed(settings.driver);
  const program: Program = programOf(driver, settings, env);
  const call = { role: "review", model: undefined, allowedTools: [] } as const;
  return [driver.command({ ...call, program, readOnly: true, timeoutMs: 0 }).file, driver];
}

/** As a shell would find it: by name on PATH, or by path from the project root. */
async function isThere(
  { ask, env }: Pick<System, "ask" | "env">,
  { file, root }: { file: string; root: string },
): Promise<boolean> {
  const args = ["-c", 'command -v -- "$1"', "sh", file];
  return (await ask({ file: "sh", args, cwd: root, env: { PATH: env.PATH } })).exitCode === 0;
}

function missing(file: string, { name, remedy }: Driver): RalphError {
  return new RalphError("config", {
    message: `The agent program \`${file}\` (driver ${name}) is not there or cannot be executed.`,
    remedy,
  });
}

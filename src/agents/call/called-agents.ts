import type { Environment } from "../../platform/system.ts";
import { type AgentRole, settingsFor } from "../../schema/config/agents.ts";
import type { Config } from "../../schema/config/config.ts";
import type { CommandLine, Driver } from "../drivers/driver.ts";
import { driverNamed } from "../drivers/drivers.ts";
import { programOf } from "../drivers/program.ts";

/** The roles a session calls. */
export const calledRoles = ["implementation", "test_writing", "review"] as const;

/** One way of calling an agent, and the roles that use it. */
export interface CalledAgent {
  driver: Driver;
  program: CommandLine;
  /** The file that is started; for the scripted driver, ralph's own player. */
  file: string;
  model: string | undefined;
  roles: readonly string[];
}

/** The roles the fix loop of a verification calls. */
export const fixRoles = ["planning", "fix"] as const;

/** The programs that these roles call, each once per model. RalphError when an agent has no program. */
export function calledAgents(
  { agents }: Config,
  env: Environment,
  roles: readonly AgentRole[] = calledRoles,
): CalledAgent[] {
  const called = roles.map((role) => calledAs(settingsFor(agents, role), { env, role }));
  const groups = Map.groupBy(called, ({ driver, program, model }) =>
    JSON.stringify([driver.name, program, model]),
  );
  return [...groups.values()].flatMap((same) =>
    same.slice(0, 1).map((one) => ({ ...one, roles: same.flatMap((each) => each.roles) })),
  );
}

function calledAs(
  settings: Config["agents"]["review"],
  { env, role }: { env: Environment; role: string },
): CalledAgent {
  const driver = driverNamed(settings.driver);
  const program = programOf(driver, settings, env);
  const { model } = settings;
  const call = { role: "review", model, allowedTools: [], readOnly: true, timeoutMs: 0 } as const;
  return { driver, program, file: driver.command({ ...call, program }).file, model, roles: [role] };
}

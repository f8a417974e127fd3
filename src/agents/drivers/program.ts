import { parseArgsStringToArgv } from "string-argv";
import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import type { CommandLine, Driver } from "./driver.ts";

export interface ProgramSettings {
  command?: string | undefined;
  args: readonly string[];
}

/**
 * The command line of a driver: its variable (RALPH_CLAUDE_CMD, split as a shell does), else `agents.<role>.command`
 * with `args`, else the driver's own program with `args`. Empty counts as unset.
 */
export function programOf(
  driver: Driver,
  settings: ProgramSettings,
  env: Environment,
): CommandLine {
  const [replaced, ...words] = replacement(driver, env);
  if (replaced !== undefined) return [replaced, ...words];
  const file = settings.command ?? driver.program;
  if (file !== undefined) return [file, ...settings.args];
  throw new RalphError("config", {
    message: `The \`${driver.name}\` driver has no program to start.`,
    remedy: driver.remedy,
  });
}

function replacement({ programVariable }: Driver, env: Environment): string[] {
  const text = programVariable === undefined ? undefined : env[programVariable];
  return parseArgsStringToArgv(text ?? "");
}

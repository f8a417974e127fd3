import { parseArgsStringToArgv } from "string-argv";
import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import type { AgentCall, CommandLine, Driver } from "./driver.ts";
import type { Remedies } from "./reported-error.ts";

interface ProgramSettings {
  command?: string | undefined;
  args: readonly string[];
}

/** The driver's variable, split as a shell does; else `agents.<role>.command` or the driver's program, with `args`. */
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

/** Starts a driver's program with its own first arguments, followed by the driver's options for the call. */
export const startWith =
  (options: (call: AgentCall) => string[]): Driver["command"] =>
  (call) => {
    const [file, ...args] = call.program;
    return { file, args: [...args, ...options(call)] };
  };

/** Remedies for the errors only the user can resolve; login and upgrade depend on the program. */
export const remediesFor = (own: { login: string; newer: string }): Remedies => ({
  login: own.login,
  billing: "Add credit to the account, or use another key.",
  model:
    "Set `agents.<role>.model` in .ralph/ralph.yml to a model this account may use, or remove it.",
  "unknown-option": `${own.newer}, or correct \`agents.<role>.args\` in .ralph/ralph.yml.`,
});

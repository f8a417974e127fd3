import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { command } from "./command.ts";
import type { Driver } from "./driver.ts";
import { gemini } from "./gemini.ts";
import { scripted } from "./scripted.ts";

/** Every agent program ralph supports. One line here makes it known everywhere. */
export const drivers: readonly Driver[] = [claude, codex, gemini, command, scripted];

/** Names that agent programs read in a project. No task may change a file or folder called so (T07, T08, T43). */
export const agentFiles = (): string[] =>
  drivers.flatMap(({ home, projectFiles }) => [...(home ? [home] : []), ...projectFiles]);

/** The variables that may hold a driver's credentials in this environment. */
export const credentialVariables = (
  { credentials }: Pick<Driver, "credentials">,
  env: Environment,
): string[] => credentials.filter(({ when }) => !when || env[when]).flatMap(({ names }) => names);

/** Whether a driver passes the variable to its program, even if it is named like a write token. */
export const isModelCredential = (name: string): boolean =>
  drivers.some(({ credentials }) => credentials.some(({ names }) => names.includes(name)));

export function driverNamed(name: string): Driver {
  const driver = drivers.find((one) => one.name === name);
  if (driver) return driver;
  throw new RalphError("config", {
    message: `There is no agent driver named "${name}".`,
    remedy: `Set \`agents.<role>.driver\` to one of: ${drivers.map((one) => one.name).join(", ")}.`,
  });
}

import { RalphError } from "../../error.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { command } from "./command.ts";
import type { Driver } from "./driver.ts";
import { gemini } from "./gemini.ts";
import { scripted } from "./scripted.ts";

/** Every agent program there is. Add one here and `agents.<role>.driver` knows its name. */
export const drivers: readonly Driver[] = [claude, codex, gemini, command, scripted];

export function driverNamed(name: string): Driver {
  const driver = drivers.find((one) => one.name === name);
  if (driver) return driver;
  throw new RalphError("config", {
    message: `There is no agent driver named "${name}".`,
    remedy: `Set \`agents.<role>.driver\` to one of: ${drivers.map((one) => one.name).join(", ")}.`,
  });
}

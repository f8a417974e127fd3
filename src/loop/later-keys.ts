import { RalphError } from "../error.ts";
import type { Config } from "../model/config.ts";

/** Keys that are read and checked, and ask for what is not there yet. */
type LaterKey = { key: string; isSet: (config: Config) => boolean };

/** Promises about order and secrets: going on without them would break them silently. */
const refused: readonly LaterKey[] = [
  { key: "limits.parallel", isSet: ({ limits }) => limits.parallel > 1 },
  { key: "agents.credentials: proxied", isSet: ({ agents }) => agents.credentials === "proxied" },
];

/** Extras: a run without them is still worth what it says. */
const leftOut: readonly LaterKey[] = [
  { key: "ui.agent_browser", isSet: ({ ui }) => ui.agent_browser.enabled },
  { key: "ui.browser_use", isSet: ({ ui }) => ui.browser_use.enabled },
  { key: "ui.robot", isSet: ({ ui }) => ui.robot.enabled },
  { key: "compat.emit", isSet: ({ compat }) => compat.emit.length > 0 },
];

const namesOf = (keys: readonly LaterKey[], config: Config) =>
  keys.filter(({ isSet }) => isSet(config)).map(({ key }) => key);

/** Refuses what must not be ignored (exit 1); answers a warning for each key that is left out. */
export function checkLaterKeys(config: Config, file: string): string[] {
  const names = namesOf(refused, config);
  if (names.length > 0) {
    throw new RalphError("config", {
      message: `${file} asks for what is not available yet: ${names.join(", ")}.`,
      remedy: "Remove these keys, then run again.",
    });
  }
  return namesOf(leftOut, config).map((key) => `${file}: ${key} is not available yet; left out.`);
}

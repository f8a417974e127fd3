import type { Problem } from "../../error.ts";
import { errorAt, type Finding, warningAt } from "../../schema/base/finding.ts";
import type { Config } from "../../schema/config/config.ts";
import type { ConfigFile } from "../../sources/config-file.ts";
import { placeFindings, sourceError } from "../../sources/source-error.ts";

/** A key that is read and checked, but whose feature is not available yet. */
type LaterKey = { path: readonly string[]; isSet: (config: Config) => boolean };
type RefusedKey = LaterKey & { asks: string };

/** Promises about order and secrets: ignoring them would break them silently. */
const refused: readonly RefusedKey[] = [
  {
    path: ["agents", "credentials"],
    asks: '"proxied"',
    isSet: ({ agents }) => agents.credentials === "proxied",
  },
];

/** Extras: a run is valid without them. */
const leftOut: readonly LaterKey[] = [
  { path: ["ui", "agent_browser"], isSet: ({ ui }) => ui.agent_browser.enabled },
  { path: ["ui", "browser_use"], isSet: ({ ui }) => ui.browser_use.enabled },
  { path: ["ui", "robot"], isSet: ({ ui }) => ui.robot.enabled },
];

/** Findings for keys whose features are not available yet: errors where ignoring the key is unsafe, else warnings. */
export function findLaterKeys(config: Config): { errors: Finding[]; warnings: Finding[] } {
  const isAsked = ({ isSet }: LaterKey) => isSet(config);
  return {
    errors: refused
      .filter(isAsked)
      .map(({ path, asks }) => errorAt(path, `is ${asks}, which is not available yet; remove it`)),
    warnings: leftOut
      .filter(isAsked)
      .map(({ path }) => warningAt(path, "is not available yet; left out")),
  };
}

/** Refuses keys that must not be ignored (exit 1); answers a warning for each key that is ignored. */
export function checkLaterKeys(
  { config, locate }: Pick<ConfigFile, "config" | "locate">,
  file: string,
): Problem[] {
  const { errors, warnings } = findLaterKeys(config);
  const place = { file, locate };
  if (errors.length === 0) return placeFindings(warnings, place);
  const remedy = "Remove these keys, then run again.";
  throw sourceError(placeFindings(errors, place), { reason: "config", file, remedy });
}

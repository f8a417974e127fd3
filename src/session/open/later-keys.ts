import type { Problem } from "../../error.ts";
import { type Finding, warningAt } from "../../schema/base/finding.ts";
import type { Config } from "../../schema/config/config.ts";
import type { ConfigFile } from "../../sources/config-file.ts";
import { placeFindings } from "../../sources/source-error.ts";

/** A key that is read and checked, but whose feature is not available yet: a run is valid without it. */
type LaterKey = { path: readonly string[]; isSet: (config: Config) => boolean };

const leftOut: readonly LaterKey[] = [
  { path: ["ui", "agent_browser"], isSet: ({ ui }) => ui.agent_browser.enabled },
  { path: ["ui", "browser_use"], isSet: ({ ui }) => ui.browser_use.enabled },
  { path: ["ui", "robot"], isSet: ({ ui }) => ui.robot.enabled },
];

/** A warning for each key whose feature is not available yet. */
export const findLaterKeys = (config: Config): Finding[] =>
  leftOut
    .filter(({ isSet }) => isSet(config))
    .map(({ path }) => warningAt(path, "is not available yet; left out"));

/** The same, with their places in the file. */
export const checkLaterKeys = (
  { config, locate }: Pick<ConfigFile, "config" | "locate">,
  file: string,
): Problem[] => placeFindings(findLaterKeys(config), { file, locate });

import type { Problem } from "../../error.ts";
import { type Finding, warningAt } from "../../schema/base/finding.ts";
import type { Config } from "../../schema/config/config.ts";
import type { ConfigFile } from "../../sources/config-file.ts";
import { placeFindings } from "../../sources/source-error.ts";

/** A key that is read and checked, and whose own effect is small or missing: `says` continues its path. */
type LaterKey = { path: readonly string[]; isSet: (config: Config) => boolean; says: string };

const leftOut: readonly LaterKey[] = [
  {
    path: ["ui", "browser_use", "enabled"],
    isSet: ({ ui }) => ui.browser_use.enabled,
    says: "starts nothing by itself: base_url, timeout and screenshot_on_failure hold for the tests of ui.agent_browser",
  },
  {
    path: ["ui", "robot", "auto_generate"],
    isSet: ({ ui }) => ui.robot.auto_generate,
    says: "is left out: an agent does not write the tests that judge its work",
  },
];

/** A warning for each key that has no effect of its own. */
export const findLaterKeys = (config: Config): Finding[] =>
  leftOut.filter(({ isSet }) => isSet(config)).map(({ path, says }) => warningAt(path, says));

/** The same, with their places in the file. */
export const checkLaterKeys = (
  { config, locate }: Pick<ConfigFile, "config" | "locate">,
  file: string,
): Problem[] => placeFindings(findLaterKeys(config), { file, locate });

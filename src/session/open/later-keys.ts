import type { Problem } from "../../error.ts";
import { type Finding, warningAt } from "../../schema/base/finding.ts";
import { Config } from "../../schema/config/config.ts";
import { laterKeys } from "../../schema/config/later-keys.ts";
import { placeFindings } from "../../sources/accept-source.ts";
import type { ConfigFile } from "../../sources/config-file.ts";

const least = {
  version: "1",
  task_source: { type: "prd_json", path: "prd.json" },
  gates: { full: [] },
  git: { base_branch: "main" },
};

/** A warning for each key without an effect that is set to something else than its default. */
export function findLaterKeys(config: Config): Finding[] {
  const usual = Config.parse(least);
  return laterKeys.flatMap(({ key, says = "is not available yet; left out" }) => {
    const path = key.split(".");
    const isSet = JSON.stringify(valueAt(config, path)) !== JSON.stringify(valueAt(usual, path));
    return isSet ? [warningAt(path, says)] : [];
  });
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (part, key) => (typeof part === "object" && part !== null ? Object(part)[key] : undefined),
    value,
  );
}

/** The same, with their places in the file. */
export const checkLaterKeys = (
  { config, locate }: Pick<ConfigFile, "config" | "locate">,
  file: string,
): Problem[] => placeFindings(findLaterKeys(config), { file, locate });

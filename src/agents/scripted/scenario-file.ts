import { basename, dirname, resolve } from "node:path";
import type { System } from "../../platform/system.ts";
import type { Checked } from "../../schema/base/check-shape.ts";
import { acceptSource } from "../../sources/accept-source.ts";
import { parseYaml } from "../../sources/parse-yaml.ts";
import { readSource } from "../../sources/read-source.ts";
import type { Refusal } from "../../sources/source-error.ts";
import { Scenario } from "./scenario.ts";

const maxBytes = 256 * 1024;

/** Reads a scenario, YAML or JSON. Throws RalphError with every problem as `file:line:column`. */
export async function readScenario(
  { files }: Pick<System, "files">,
  path: string,
): Promise<Scenario> {
  const refusal: Refusal = {
    reason: "config",
    file: basename(path),
    remedy: "Correct the scenario that `agents.<role>.command` names.",
  };
  const folder = files(dirname(resolve(path)));
  const bytes = await readSource(folder, { maxBytes, missing: refusal });
  const parsed = parseYaml({ bytes, file: refusal.file, maxBytes });
  return acceptSource(parsed, { check: checkScenario, refusal }).data;
}

function checkScenario(value: unknown): Checked<Scenario> {
  const { data, error } = Scenario.safeParse(value);
  const issues = error?.issues ?? [];
  return {
    data,
    findings: issues.map(({ path, message }) => ({ severity: "error", path, message })),
  };
}

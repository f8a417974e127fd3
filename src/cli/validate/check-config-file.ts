import { agentEnvironment } from "../../agents/call/environment.ts";
import { drivers } from "../../agents/drivers/drivers.ts";
import { RalphError } from "../../error.ts";
import { errorAt, type Finding } from "../../schema/base/finding.ts";
import { nearest } from "../../schema/base/nearest.ts";
import { agentRoles } from "../../schema/config/agents.ts";
import type { Config } from "../../schema/config/config.ts";
import { checkBudget } from "../../session/open/check-agents.ts";
import { findLaterKeys } from "../../session/open/later-keys.ts";
import { requireBase } from "../../session/open/require-branches.ts";
import { placeFindings, sourceError } from "../../sources/accept-source.ts";
import { readConfig } from "../../sources/config-file.ts";
import { checkConditions } from "./check-conditions.ts";
import type { CheckInput, ValidFile } from "./target.ts";

/** Checks a configuration as `ralph run` does, except for missing programs. */
export async function checkConfigFile(place: CheckInput): Promise<ValidFile> {
  const { shown } = place.target;
  const { config, warnings, locate } = await readConfig(place.file, shown);
  const about = { file: shown, locate };
  const later = findLaterKeys(config);
  const strange = [
    ...strangeDrivers(config),
    ...strangeVariables(config),
    ...strangeBudgets(config),
  ];
  if (strange.length > 0) {
    const problems = placeFindings(strange, about);
    const remedy = `Fix ${shown}, then run \`ralph validate --config ${shown}\`.`;
    const beside = warnings.map((each) => ({ ...each, message: `warning: ${each.message}` }));
    throw sourceError([...problems, ...beside], { reason: "config", file: shown, remedy });
  }
  const { system, root, target } = place;
  if (target.path.startsWith(`${root}/`)) await requireBase(system, { root, git: config.git });
  const odd = [...later, ...(await checkConditions(place, config))];
  const remarks = [...warnings, ...placeFindings(odd, about)];
  return { note: "a valid configuration", warnings: remarks };
}

function strangeDrivers({ agents }: Config): Finding[] {
  const names = drivers.map(({ name }) => name);
  return agentRoles.flatMap((role) => {
    const { driver } = agents[role];
    if (names.includes(driver)) return [];
    const meant = nearest(driver, names);
    const hint = meant ? `did you mean "${meant}"?` : `the drivers are ${names.join(", ")}`;
    return [errorAt(["agents", role, "driver"], `is "${driver}", which is not a driver; ${hint}`)];
  });
}

/** A budget cannot be enforced when the agents report no cost. */
function strangeBudgets(config: Config): Finding[] {
  if (strangeDrivers(config).length > 0) return [];
  try {
    checkBudget(config);
    return [];
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const [, ...reasons] = error.message.split("\n");
    return [errorAt(["limits"], `hold a budget that cannot be enforced: ${reasons.join("; ")}`)];
  }
}

function strangeVariables({ agents, sandbox }: Config): Finding[] {
  const identity = { role: "review", taskId: "", attempt: 1, sessionDir: "" } as const;
  return (["agents", "sandbox"] as const).flatMap((section) => {
    const names = section === "agents" ? agents.env : sandbox.env;
    try {
      agentEnvironment({}, { names, credentials: [], driver: {}, identity });
      return [];
    } catch (error) {
      if (!(error instanceof RalphError)) throw error;
      return [errorAt([section, "env"], error.message.replace("`agents.env` ", ""))];
    }
  });
}

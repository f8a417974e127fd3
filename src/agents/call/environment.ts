import type { Role } from "../../core/state/roles.ts";
import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import type { Credential } from "../drivers/driver.ts";
import { credentialVariables, isModelCredential } from "../drivers/drivers.ts";

export interface AgentEnvironment {
  /** Names of `agents.env`: chosen by the user, without forbidden variables. */
  names: readonly string[];
  credentials: readonly Credential[];
  /** Variables of the driver, with their values. */
  driver: Environment;
  identity: CallIdentity;
}

/** Identifies the call to the program: for stand-ins, logs and hooks. */
export interface CallIdentity {
  role: Role;
  taskId: string;
  /** Number of this role's call for the task, from 1. */
  attempt: number;
  sessionDir: string;
}

const plainNames = [
  "PATH",
  "HOME",
  "LANG",
  "TERM",
  "TMPDIR",
  "TZ",
  "USER",
  "LOGNAME",
  "SHELL",
  "CI",
];

/** Write access, the runner's file commands and services, and variables that change how programs or git run (T15, T22). */
const forbidden =
  /TOKEN$|^ACTIONS_|^GITHUB_(?:ENV|OUTPUT|PATH|STATE|STEP_SUMMARY)$|^RUNNER_TRACKING_ID$|^NODE_OPTIONS$|^BASH_ENV$|^LD_|^DYLD_|^GIT_|^RALPH_/i;

/** The complete environment of an agent; it inherits nothing else (T15). Refuses forbidden names in `agents.env`. */
export function agentEnvironment(given: Environment, wanted: AgentEnvironment): Environment {
  refuseForbidden("agents.env", wanted.names);
  const names = [
    ...plainNames,
    ...Object.keys(given).filter((name) => name.startsWith("LC_")),
    ...credentialVariables(wanted, given),
    ...wanted.names,
  ];
  return { ...pick(given, names), ...wanted.driver, ...identityVariables(wanted.identity) };
}

/** Throws RalphError when a key of the configuration names a variable that no agent may have. */
export function refuseForbidden(key: "agents.env" | "sandbox.env", names: readonly string[]): void {
  const refused = names.filter((name) => forbidden.test(name) && !isModelCredential(name));
  if (refused.length === 0) return;
  throw new RalphError("config", {
    message: `\`${key}\` names ${refused.join(", ")}, which no agent may have.`,
    remedy: `Remove it from \`${key}\` in .ralph/ralph.yml.`,
  });
}

/** Empty counts as unset: Actions passes empty inputs. */
const pick = (given: Environment, names: readonly string[]): Environment =>
  Object.fromEntries(
    names.filter((name) => Boolean(given[name])).map((name) => [name, given[name]]),
  );

const identityVariables = ({ role, taskId, attempt, sessionDir }: CallIdentity): Environment => ({
  RALPH_ROLE: role,
  RALPH_TASK_ID: taskId,
  RALPH_ATTEMPT: String(attempt),
  RALPH_SESSION_DIR: sessionDir,
});

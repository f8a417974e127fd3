import { RalphError } from "../error.ts";
import { nearest } from "../schema/base/nearest.ts";
import type { Check } from "./check.ts";
import { agentCall } from "./checks/agent-call.ts";
import { agents } from "./checks/agents.ts";
import { browser, robot } from "./checks/browser.ts";
import { baseBranchCheck, configuration, tasks } from "./checks/configuration.ts";
import { credentials, githubToken } from "./checks/credentials.ts";
import { exposure } from "./checks/exposure.ts";
import { gates } from "./checks/gates.ts";
import { disk, git, node, ports, state } from "./checks/machine.ts";
import { refusedPaths, repository } from "./checks/repository.ts";
import { sandbox } from "./checks/sandbox.ts";
import { tools } from "./checks/tools.ts";
import { workTree } from "./checks/work-tree.ts";

/** All checks in the order they run: requirements of others first, slow checks last. */
export const checks: readonly Check[] = [
  node,
  git,
  state,
  repository,
  workTree,
  refusedPaths,
  configuration,
  baseBranchCheck,
  tasks,
  agents,
  credentials,
  githubToken,
  sandbox,
  exposure,
  tools,
  browser,
  robot,
  ports,
  disk,
  gates,
  agentCall,
];

/** Checks that run no command of the project and call no agent. */
export const quickChecks = checks.filter(({ notice: patience }) => patience === undefined);

/** `git,tasks` selects checks, `no-agent-call,no-gates` excludes some. An unknown name, or no check left, is exit 1. */
export function chooseChecks(list: string | undefined): readonly Check[] {
  const entries = (list ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
  const excluded = entries.filter((name) => name.startsWith("no-")).map((name) => name.slice(3));
  const wanted = entries.filter((name) => !name.startsWith("no-"));
  for (const name of [...wanted, ...excluded]) requireKnown(name);
  const chosen = checks.filter(
    ({ name }) => (wanted.length === 0 || wanted.includes(name)) && !excluded.includes(name),
  );
  if (chosen.length > 0) return chosen;
  throw new RalphError("config", {
    message: `\`--check ${entries.join(",")}\` leaves no check to run.`,
    remedy: "Name the checks to run, or exclude some with `no-NAME`.",
  });
}

const names = checks.map(({ name }) => name);

function requireKnown(name: string): void {
  if (names.includes(name)) return;
  const meant = nearest(name, names);
  throw new RalphError("config", {
    message: `There is no check ${JSON.stringify(name)}.`,
    remedy: meant ? `Did you mean \`${meant}\`?` : `The checks are: ${names.join(", ")}.`,
  });
}

import { RalphError } from "../error.ts";
import { nearest } from "../schema/base/nearest.ts";
import type { Check } from "./check.ts";
import { agentCall } from "./checks/agent-call.ts";
import { agents } from "./checks/agents.ts";
import { baseBranchCheck } from "./checks/base-branch.ts";
import { configuration } from "./checks/configuration.ts";
import { credentials } from "./checks/credentials.ts";
import { disk } from "./checks/disk.ts";
import { exposure } from "./checks/exposure.ts";
import { gates } from "./checks/gates.ts";
import { git } from "./checks/git.ts";
import { githubToken } from "./checks/github-token.ts";
import { node } from "./checks/node.ts";
import { refusedPaths } from "./checks/refused-paths.ts";
import { repository } from "./checks/repository.ts";
import { sandbox } from "./checks/sandbox.ts";
import { state } from "./checks/state.ts";
import { tasks } from "./checks/tasks.ts";
import { tools } from "./checks/tools.ts";
import { workTree } from "./checks/work-tree.ts";

/** Every check there is, in the order they are told: what others build on first, what takes its time last. */
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
  disk,
  gates,
  agentCall,
];

/** Those that neither run the project's commands nor call anybody. */
export const quickChecks = checks.filter(({ notice: patience }) => patience === undefined);

/** `git,tasks`: these; `no-agent-call,no-gates`: all but these; nothing: all. An unknown name, or none left, is exit 1. */
export function chooseChecks(list: string | undefined): readonly Check[] {
  const words = (list ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
  const excluded = words.filter((word) => word.startsWith("no-")).map((word) => word.slice(3));
  const wanted = words.filter((word) => !word.startsWith("no-"));
  for (const name of [...wanted, ...excluded]) requireKnown(name);
  const chosen = checks.filter(
    ({ name }) => (wanted.length === 0 || wanted.includes(name)) && !excluded.includes(name),
  );
  if (chosen.length > 0) return chosen;
  throw new RalphError("config", {
    message: `\`--check ${words.join(",")}\` leaves nothing to check.`,
    remedy: "Name what is wanted, or with `no-` what is not.",
  });
}

const names = checks.map(({ name }) => name);

function requireKnown(name: string): void {
  if (names.includes(name)) return;
  const meant = nearest(name, names);
  throw new RalphError("config", {
    message: `There is no check ${JSON.stringify(name)}.`,
    remedy: meant ? `Did you mean \`${meant}\`?` : `There are: ${names.join(", ")}.`,
  });
}

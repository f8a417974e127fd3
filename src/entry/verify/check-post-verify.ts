import { fixRoles } from "../../agents/call/called-agents.ts";
import {
  type PostVerifyChoices,
  planPostVerify,
  repairsAfter,
  type VerifyPlan,
} from "../../core/verify/verify-plan.ts";
import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import type { AgentRole } from "../../schema/config/agents.ts";
import type { Config } from "../../schema/config/config.ts";
import { checkAgents } from "../../session/open/check-agents.ts";
import { requireChromium } from "../../ui/find-chromium.ts";
import { requireRobot } from "../../ui/robot.ts";
import { findScriptProblem } from "../../ui/script-program.ts";

type Programs = Pick<System, "ask" | "env">;

/**
 * Requires the configuration and the programs of everything requested, and of the agents that repair, before anything is
 * spent (exit 1). Returns the roles of these agents.
 */
export async function checkPostVerify(
  system: Programs,
  { config, root, choices }: { config: Config; root: string; choices: PostVerifyChoices },
): Promise<readonly AgentRole[]> {
  const planning = planPostVerify(config, choices);
  if (planning?.kind === "impossible") {
    throw new RalphError("config", {
      message: planning.missing.join("\n"),
      remedy: "Configure it, or leave the option out; --no-post-verify verifies nothing.",
    });
  }
  if (!planning && choices.fix) {
    throw new RalphError("config", {
      message: "--fix was asked for, and nothing is verified after the last task.",
      remedy: "Add --post-verify or enable tests of `ui`, or leave --fix out.",
    });
  }
  if (!planning) return [];
  await requirePrograms(system, root, { config, plan: planning.plan });
  if (!repairsAfter(planning.plan, choices)) return [];
  await checkAgents(system, { config, root, roles: fixRoles });
  return fixRoles;
}

/** The programs that a verification needs. */
export async function requirePrograms(
  system: Programs,
  root: string,
  { config, plan }: { config: Config; plan: VerifyPlan },
): Promise<void> {
  const { script, tests } = config.ui.agent_browser;
  if (plan.browser && tests.length > 0) await requireChromium(system);
  if (plan.browser && script !== undefined) await requireScript(system, root, script);
  if (plan.robot) await requireRobot(system, root);
}

async function requireScript(system: Programs, root: string, script: string): Promise<void> {
  const problem = await findScriptProblem(system, root, script);
  if (problem === "no-script") {
    throw new RalphError("config", {
      message: `ui.agent_browser.script is ${script}, and there is no such file.`,
      remedy: "Add it, or correct the path.",
    });
  }
  if (problem === "no-agent-browser") {
    throw new RalphError("config", {
      message: `${script} calls agent-browser, and this machine has no such program.`,
      remedy:
        "Install it (`npm install --global agent-browser`), or write ui.agent_browser.tests, which need Chromium only.",
    });
  }
}

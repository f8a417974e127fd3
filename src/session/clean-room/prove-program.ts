import { criteriaToProve } from "../../core/checks/prove.ts";
import { type ProvedProgram, withProgramFact } from "../../core/checks/proved-program.ts";
import type { FactOf } from "../../core/state/event.ts";
import { hasBrowserTests, type VerifyPlan } from "../../core/verify/verify-plan.ts";
import type { Config } from "../../schema/config/config.ts";
import { parseCriterion } from "../../schema/tasks/criterion.ts";
import { findChromium } from "../../ui/find-chromium.ts";
import { findRobot } from "../../ui/robot.ts";
import { findScriptProblem } from "../../ui/script-program.ts";
import { undoChanges } from "../loop/collect-changes.ts";
import { portTaken } from "../loop/open-stage.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { verifyOnce } from "../verify/verify-once.ts";
import { type OnProofStep, requireGoing } from "./prove-steps.ts";

/**
 * Starts the services of a tree and runs the tests of the user interface that the configuration enables, as a run does
 * after its last task. What this machine lacks is left out and named, browser criteria too. Undefined: nothing is enabled.
 */
export async function proveProgram(
  session: SessionContext,
  tree: string,
  report: OnProofStep,
): Promise<ProvedProgram | undefined> {
  const { plan, config, missing } = await onThisMachine(session);
  let program: ProvedProgram = { level: "none", parts: [], missing, files: {} };
  if (!plan) return missing.length === 0 ? undefined : program;
  let taken: FactOf<"service_failed"> | undefined;
  const notice = async (fact: Parameters<typeof withProgramFact>[1]) => {
    if (fact.type === "service_failed" && fact.why === "port") taken = fact;
    const before = program.parts;
    program = withProgramFact(program, fact);
    const fresh = program.parts.filter((part) => !before.includes(part));
    for (const part of fresh) report({ kind: "program", ...part });
  };
  await verifyOnce({ ...session, config, tree, notice, gateEnded: () => {} }, plan);
  requireGoing(session);
  if (taken) throw portTaken(taken);
  await undoChanges(session);
  return program;
}

type Possible = { plan: VerifyPlan | undefined; config: Config; missing: string[] };

/** The parts of the plan that can run here. */
async function onThisMachine(session: SessionContext): Promise<Possible> {
  const { system, config, policy } = session;
  const hasChromium = (await findChromium(system)) !== undefined;
  const criteria = hasChromium ? [] : browserCriteria(session);
  const plan = policy.verify;
  if (!plan) return { plan, config, missing: criteria };
  if (!plan.startsServices) {
    const missing = `tests of the user interface (${plan.baseUrl} does not run this head)`;
    return { plan: undefined, config, missing: [missing, ...criteria] };
  }
  const browser = await browserTests(session, plan, hasChromium);
  const lacksRobot = plan.robot && !(await findRobot(system, session.repo.root));
  return {
    plan: { ...plan, browser: hasBrowserTests(browser.config), robot: plan.robot && !lacksRobot },
    config: browser.config,
    missing: [
      ...browser.missing,
      ...criteria,
      ...(lacksRobot ? ["the suite of Robot Framework (no robot)"] : []),
    ],
  };
}

/** A script that is gone is no fault of the machine: it runs, and is red. */
async function browserTests(
  { system, repo, config }: SessionContext,
  plan: VerifyPlan,
  hasChromium: boolean,
): Promise<Pick<Possible, "config" | "missing">> {
  const { tests, script, ...rest } = config.ui.agent_browser;
  const withBrowser = (agent_browser: Config["ui"]["agent_browser"]) => ({
    ...config,
    ui: { ...config.ui, agent_browser },
  });
  if (!plan.browser) return { config: withBrowser({ ...rest, tests: [] }), missing: [] };
  const lacksProgram =
    script !== undefined &&
    (await findScriptProblem(system, repo.root, script)) === "no-agent-browser";
  return {
    config: withBrowser({
      ...rest,
      tests: hasChromium ? tests : [],
      ...(script !== undefined && !lacksProgram && { script }),
    }),
    missing: [
      ...(tests.length > 0 && !hasChromium ? ["browser tests (no Chromium)"] : []),
      ...(lacksProgram ? [`${script} (no agent-browser)`] : []),
    ],
  };
}

function browserCriteria({ journal: { state } }: SessionContext): string[] {
  const all = criteriaToProve(state).flatMap(({ criteria }) => criteria);
  const count = all.filter((text) => parseCriterion(text).kind === "browser").length;
  if (count === 0) return [];
  return [`${count} browser criteri${count === 1 ? "on" : "a"} (no Chromium)`];
}

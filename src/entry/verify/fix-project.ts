import { fixRoles } from "../../agents/call/called-agents.ts";
import { removeHomes } from "../../agents/call/open-home.ts";
import type { Verification } from "../../core/state/verification.ts";
import type { FixLimits } from "../../core/verify/next-fix.ts";
import { checkSessionDir } from "../../git/worktree/session-dir.ts";
import { openScratch } from "../../journal/open-scratch.ts";
import { lastSessionId } from "../../journal/session-store.ts";
import type { System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { addSpending, spentByOthers } from "../../session/loop/day-spending.ts";
import { newSessionId } from "../../session/loop/session-id.ts";
import { checkAgents } from "../../session/open/check-agents.ts";
import { locateStore } from "../../session/open/locate-project.ts";
import { openFixSession } from "../../session/open/open-fix-session.ts";
import {
  type FixEnd,
  type FixListener,
  type FixOutcome,
  runFixLoop,
} from "../../session/verify/fix-loop.ts";
import { takeLock } from "../take-lock.ts";
import {
  createNotice,
  openArtifacts,
  prepareVerification,
  type VerifyListener,
  type VerifyRequest,
} from "./verify-project.ts";

/**
 * Verifies the project and lets agents repair it; the repairs stay in the work tree as plain changes. Takes the project's
 * lock and needs a clean work tree.
 */
export async function fixProject(
  system: System,
  request: VerifyRequest & { fixIterations: number | undefined },
  listener: VerifyListener & FixListener,
): Promise<FixOutcome> {
  const { root, config, configPath, plan } = await prepareVerification(system, request, listener);
  await checkAgents(system, { config, root, roles: fixRoles });
  const { store } = await locateStore(system, root);
  await store.files.makeFolder("");
  const sessionId = newSessionId(system, await lastSessionId(store));
  await using _ = await takeLock(system, store, sessionId);
  const sessionDir = await checkSessionDir(system, { root, sessionDir: request.sessionDir(root) });
  await using scratch = await openScratch(system, store);
  const session = await openFixSession(system, {
    ...{ root, scratch, store, sessionId, sessionDir, configPath },
    config: { ...config, test_paths: testPaths(config) },
    cancel: listener.cancel,
  });
  await using __ = session.journal;
  await using ___ = {
    [Symbol.asyncDispose]: () => removeHomes(system, session.homes),
  };
  const files = await openArtifacts(system, { root, sessionDir });
  const notice = createNotice(files, session.evidence.readBytes, listener);
  const verify = (): Promise<Verification> => notice.verify({ ...session, tree: "work" }, plan);
  const others = await spentByOthers(store, { sessionId, now: system.clock.now() });
  const outcome = await runFixLoop({
    ...{ session, verify, listener },
    limits: fixLimits(config, request.fixIterations),
    mayCall: (usd) => overBudget(config, { usd, others: others.usd }),
  });
  const spending = { run: sessionId, usd: outcome.usd, now: system.clock.now() };
  if (outcome.usd > 0) await addSpending(store, spending);
  return outcome;
}

/** Agents may not repair the judges of the program: tests, the suite and the script. */
function testPaths({ test_paths, ui: { robot, agent_browser } }: Config): string[] {
  const { suite } = robot;
  return [
    ...test_paths,
    ...(suite === undefined ? [] : [suite, `${suite}/**`]),
    ...(agent_browser.script ?? []),
  ].flat();
}

function fixLimits({ limits }: Config, asked: number | undefined): FixLimits {
  const { post_verify_iterations, ui_fix_iterations, robot_fix_iterations } = limits;
  return {
    gates: asked ?? post_verify_iterations,
    services: asked ?? post_verify_iterations,
    browser: asked ?? ui_fix_iterations,
    robot: asked ?? robot_fix_iterations,
  };
}

/** `usd`: spent so far, undefined when a call did not report its cost. */
function overBudget(
  { limits }: Config,
  { usd, others }: { usd: number | undefined; others: number },
): FixEnd | undefined {
  const { budget_usd: own, budget_usd_per_day: day } = limits;
  if (own === null && day === null) return undefined;
  if (usd === undefined) {
    const message =
      "An agent reported no cost, so the budget cannot be kept; nothing more is started.";
    return { reason: "budget", message };
  }
  const isOver = (own !== null && usd >= own) || (day !== null && usd + others >= day);
  return isOver
    ? { reason: "budget", message: "The budget is used up; nothing more is started." }
    : undefined;
}

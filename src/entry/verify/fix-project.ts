import { fixRoles } from "../../agents/call/called-agents.ts";
import type { FactOf } from "../../core/state/event.ts";
import { isRepairFact, type RepairFact } from "../../core/state/repair-event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { noVerification, type Verification } from "../../core/state/verification.ts";
import { isVerifyFact } from "../../core/state/verify-event.ts";
import { fixLimits } from "../../core/verify/judge-verification.ts";
import type { StopReason } from "../../error.ts";
import { checkSessionDir } from "../../git/worktree/session-dir.ts";
import type { Evidence } from "../../journal/evidence.ts";
import { lastSessionId, openScratch } from "../../journal/session-store.ts";
import type { OwnFiles } from "../../platform/fs/own-files.ts";
import type { System } from "../../platform/system.ts";
import { addSpending } from "../../session/loop/day-spending.ts";
import type { Views } from "../../session/loop/session-context.ts";
import { newSessionId } from "../../session/loop/session-id.ts";
import { checkAgents } from "../../session/open/check-agents.ts";
import { locateStore } from "../../session/open/locate-project.ts";
import { openFixSession } from "../../session/open/open-fix-session.ts";
import { runTasks } from "../../session/run-tasks.ts";
import { artifactsOf } from "../../views/session-files/artifacts.ts";
import { takeLock } from "../take-lock.ts";
import {
  openArtifacts,
  prepareVerification,
  type VerifyListener,
  type VerifyRequest,
} from "./verify-project.ts";
import { writeArtifacts } from "./write-artifacts.ts";

/** The progress of the repairs. */
export interface FixListener {
  repair: (fact: RepairFact | FactOf<"fix_checked">) => void;
  remark: (text: string) => void;
}

export type FixOutcome = {
  verification: Verification;
  fixes: number;
  reason: StopReason;
  message: string;
};

/**
 * Verifies the project and lets agents repair it, with the steps of a run; the repairs stay in the work tree as plain
 * changes. Takes the project's lock and needs a clean work tree.
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
  const files = await openArtifacts(system, { root, sessionDir });
  const session = await openFixSession(system, {
    ...{ root, scratch, store, sessionId, sessionDir, configPath, config, plan },
    limits: fixLimits(config, request.fixIterations),
    openViews: (readBytes) => fixViews(listener, files, readBytes),
    cancel: listener.cancel,
  });
  await using __ = session.journal;
  const state = await runTasks(session);
  const usd = state.usage.cost_usd ?? 0;
  if (usd > 0) await addSpending(store, { run: sessionId, usd, now: system.clock.now() });
  return outcomeOf(state);
}

function outcomeOf({ verification = noVerification, repairs, end }: SessionState): FixOutcome {
  const { reason = "cancelled", message = "" } = end ?? {};
  const kept = (repairs?.ended ?? []).filter(({ outcome }) => outcome === "kept");
  // The remedy after it is about sessions.
  const [said = ""] = /^.*nothing more is started\./.exec(message) ?? [message];
  return { verification, fixes: kept.length, reason, message: said };
}

/** Shows each event at once; pictures and logs are written one after the other. */
function fixViews(
  listener: VerifyListener & FixListener,
  files: OwnFiles,
  readBytes: Evidence["readBytes"],
): Partial<Views> {
  let written = Promise.resolve();
  return {
    gateEnded: listener.gateEnded,
    update: () => written,
    notice: (event, state) => {
      if (isRepairFact(event)) listener.repair(event);
      if (event.type === "warning") listener.remark(event.message);
      if (!isVerifyFact(event)) return;
      const { verification = noVerification } = state;
      const artifacts = artifactsOf(event, verification.pictures);
      written = written.then(() => writeArtifacts(files, artifacts, readBytes));
      listener.fact(event, verification);
    },
  };
}

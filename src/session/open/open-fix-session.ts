import type { FixLimits } from "../../core/verify/judge-verification.ts";
import type { VerifyPlan } from "../../core/verify/verify-plan.ts";
import { RalphError, visible } from "../../error.ts";
import { dirtyPaths, readStartPoint } from "../../git/commits/start-point.ts";
import { openRepository } from "../../git/open/open-repository.ts";
import { excludeSessionFiles, hideSessionDir } from "../../git/worktree/session-exclude.ts";
import { createEvidence, type Evidence } from "../../journal/evidence.ts";
import { startJournal } from "../../journal/journal.ts";
import type { SessionStore } from "../../journal/session-store.ts";
import type { System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { spentByOthers } from "../loop/day-spending.ts";
import type { SessionContext, Views } from "../loop/session-context.ts";
import { assembleSession, silentOptions } from "./assemble-session.ts";
import { openSandbox } from "./open-sandbox.ts";

export interface FixPlace {
  root: string;
  /** A store of its own, which is removed with the session. */
  scratch: SessionStore;
  /** The project's store, hidden from agents. */
  store: SessionStore;
  config: Config;
  configPath: string;
  sessionId: string;
  sessionDir: string;
  cancel: AbortSignal;
  plan: VerifyPlan;
  limits: FixLimits;
  /** Shows events; the evidence is that of the session. */
  openViews: (readBytes: Evidence["readBytes"]) => Partial<Views>;
}

/** A session without tasks, for agents that repair the work tree. Exit 14 unless that is clean: repairs must be told apart. */
export async function openFixSession(system: System, place: FixPlace): Promise<SessionContext> {
  const { root, scratch, config, configPath, sessionId, sessionDir, cancel } = place;
  const opened = await openRepository(system, { directory: root, stateDir: scratch.folder });
  const repo = await hideSessionDir(opened, sessionDir);
  await excludeSessionFiles(repo);
  const { ours, others } = await dirtyPaths(repo);
  const dirty = [...ours, ...others.map(({ path }) => path)];
  if (dirty.length > 0) throw dirtyTree(dirty);
  const start = await readStartPoint(repo);
  const sandbox = await openSandbox(system, { repo, config, store: place.store.folder });
  const journal = await startJournal(
    { files: scratch.session(sessionId), clock: system.clock },
    {
      type: "session_start",
      format: 1,
      session_id: sessionId,
      source: { type: config.task_source.type, path: config.task_source.path },
      project: root.slice(root.lastIndexOf("/") + 1),
      description: "",
      config_path: configPath,
      branch: start.branch,
      start: { commit: start.commit, tree: start.tree },
      tasks: [],
      selected: [],
      sandbox: sandbox.kind,
      versions: {},
    },
  );
  const evidence = createEvidence(scratch.session(sessionId));
  const views = place.openViews(evidence.readBytes);
  const session = await assembleSession({
    ...{ system, repo, store: scratch, config, journal, evidence, sandbox },
    options: silentOptions(cancel, sessionDir, views),
  });
  const verify = { ...place.plan, isInPlace: true as const };
  const { budgets } = session.policy;
  const spent = await spentByOthers(place.store, { sessionId, now: system.clock.now() });
  const policy = { ...session.policy, verify, fixes: place.limits };
  return { ...session, policy: { ...policy, budgets: { ...budgets, others: spent } } };
}

function dirtyTree(paths: readonly string[]): RalphError {
  const shown = paths.slice(0, 20).map((path) => `  ${visible(path)}`);
  return new RalphError("git", {
    message: `The work tree is not clean, and repairs could not be told from these changes:\n${shown.join("\n")}`,
    remedy: "Commit or stash them, then run `ralph verify --fix` again.",
  });
}

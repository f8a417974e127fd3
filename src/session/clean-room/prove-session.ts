import { passedInSession } from "../../core/checks/prove.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import { readBranch } from "../../git/commits/move-branch.ts";
import { openRepository } from "../../git/open/open-repository.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { treeWith } from "../../git/trees/tree-with.ts";
import { createEvidence } from "../../journal/evidence.ts";
import { reopenJournal, replayJournal } from "../../journal/journal.ts";
import type { SessionStore } from "../../journal/session-store.ts";
import type { System } from "../../platform/system.ts";
import { applyOverrides } from "../../sources/config-overrides.ts";
import { packFile } from "../bundle/bundled-objects.ts";
import { importBundle } from "../import/import-bundle.ts";
import { bookkeepingPaths } from "../loop/bookkeeping.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { assembleSession, silentOptions } from "../open/assemble-session.ts";
import { openSandbox } from "../open/open-sandbox.ts";
import { type MakeConfig, readCommitConfig } from "../open/start-config.ts";

/** Where and how a proof runs. */
export interface ProofPlace {
  /** The project root in a fresh clone. */
  root: string;
  /** Ralph's store, hidden from every command; the proof's output is kept below it. */
  store: SessionStore;
  /** The bundle's folder, absolute. */
  bundle: string;
  cancel: AbortSignal;
  /** Makes the configuration of a project that has none. */
  makeConfig?: MakeConfig | undefined;
  /** Overrides the configuration: whether gates and criteria run in the sandbox. */
  sandbox?: "auto" | "required" | "off" | undefined;
  /** Overrides the configuration: the branch the work will be merged into. */
  baseBranch?: string | undefined;
}

export interface ProofSession {
  session: SessionContext;
  sandbox: "bubblewrap" | "off";
  /** The commit with the session's latest task list. */
  listCommit: string;
}

/** The folder with the output of gates, criteria and setup steps of the last proof; files are named by their sha256. */
export const proofFolder = "proof";

/**
 * Imports the bundle as a session that calls no agent and has no views. Its journal is a copy in `scratch`, a
 * temporary store; its configuration is the start commit's, without overrides from the environment.
 */
export async function openProofSession(
  system: System,
  { root, store, bundle, cancel, makeConfig, sandbox: mode, baseBranch }: ProofPlace,
  scratch: SessionStore,
): Promise<ProofSession> {
  await requirePack(system, bundle);
  const id = await importBundle(system, {
    ...{ project: { root, store: scratch }, bundle },
    start: "checked",
    tasks: "judged",
  });
  const files = scratch.session(id);
  let listCommit: string | undefined;
  const replay = await replayJournal(files, (event) => {
    if (event.type === "tasks_reloaded") listCommit = event.commit;
  });
  if (!replay) throw new Error("An imported bundle has a journal.");
  const { branch } = replay.state.session;
  const repo = await openRepository(system, { directory: root, stateDir: scratch.folder, branch });
  await requireHead(repo, replay.state);
  const { start, config_path: path } = replay.state.session;
  const own = await readCommitConfig(repo, { commit: start.commit, path }, makeConfig);
  if (!own) throw new Error(`${path} is not in the start commit, and the audit did not say so.`);
  const config = applyOverrides(own, { env: {}, flags: { sandbox: mode, baseBranch } });
  const sandbox = await openSandbox(system, { repo, config, store: store.folder });
  await store.files.remove(proofFolder);
  const evidence = createEvidence(system.files(`${store.folder}/${proofFolder}`));
  const journal = await reopenJournal({ files, clock: system.clock }, replay);
  const session = await assembleSession({
    ...{ system, repo, config, store: scratch, journal, evidence, sandbox },
    options: silentOptions(cancel, files.root),
  });
  await makeProvedTrees(session);
  return { session, sandbox: sandbox.kind, listCommit: listCommit ?? start.commit };
}

/** A tree that passed is in no commit, so no bundle carries it: each is made again from its commit, as the audit did. */
async function makeProvedTrees({
  repo,
  config,
  journal: { state },
}: SessionContext): Promise<void> {
  const paths = bookkeepingPaths(config, state);
  for (const { commit = "" } of passedInSession(state)) {
    await treeWith(repo, { tree: commit, paths, from: `${commit}^` });
  }
}

/** Only a session that has ended has written its pack. */
async function requirePack({ files }: System, bundle: string): Promise<void> {
  if (await files(bundle).stat(packFile)) return;
  throw new RalphError("source", {
    message: `${bundle} has no ${packFile}: the session is still running, or was killed before its end.`,
    remedy: "Let it end (`ralph run --resume`), then start the proof again.",
  });
}

async function requireHead(repo: Repository, { session: { branch }, head }: SessionState) {
  const tip = await readBranch(repo, branch);
  if (tip === head) return;
  throw new RalphError("git", {
    message: `The branch ${branch} is at ${tip?.slice(0, 12)} here, but the session left it at ${head.slice(0, 12)}.`,
    remedy: "Prove the bundle in a fresh clone of the branch the session started from.",
  });
}

import type { EvidenceRef } from "../../core/state/measurement.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import { readPack } from "../../git/commits/bundle.ts";
import { moveBranch, readBranch } from "../../git/commits/move-branch.ts";
import { dirtyPaths } from "../../git/commits/start-point.ts";
import { switchToBranch } from "../../git/commits/switch-branch.ts";
import { openRepository } from "../../git/open/open-repository.ts";
import { treeOf } from "../../git/trees/objects.ts";
import { resetTo } from "../../git/worktree/reset.ts";
import { syncUserIndex } from "../../git/worktree/sync-user-index.ts";
import { evidenceOf } from "../../journal/audit.ts";
import { createEvidence, readEvidence } from "../../journal/evidence.ts";
import { journalFile, replayJournal } from "../../journal/journal.ts";
import { FileError } from "../../platform/file-error.ts";
import type { Files, System } from "../../platform/system.ts";
import { bundledPlanOf, packFile, planFile } from "../bundle/bundled-objects.ts";
import { type LocatedProject, openSide } from "../open/locate-project.ts";
import type { MakeConfig } from "../open/start-config.ts";
import { requireList } from "./prove-tasks.ts";
import { requireAuthor, requireStart } from "./require-start.ts";

const maxPackBytes = 256 * 1024 * 1024;

type Import = {
  project: LocatedProject;
  bundle: string;
  /** `checked`: the caller has verified that the session began in this repository's history. */
  start?: "checked" | undefined;
  /** `judged`: the caller compares the journal's tasks with the list. */
  tasks?: "judged" | undefined;
  /** For a project without a configuration. */
  makeConfig?: MakeConfig | undefined;
};

/** Imports a bundle (design 2, T57): only files its journal names, no links, bounded, with intact chain and evidence. */
export async function importBundle(system: System, given: Import): Promise<string> {
  try {
    return await importChecked(system, given);
  } catch (error) {
    if (error instanceof FileError) throw refused(given.bundle, error.message, error);
    throw error;
  }
}

async function importChecked(
  system: System,
  { project, bundle, start, tasks, makeConfig }: Import,
): Promise<string> {
  const from = system.files(bundle.startsWith("/") ? bundle : `${project.root}/${bundle}`);
  const { state, evidence, edit } = await readBundle(from, bundle);
  const id = state.session.session_id;
  const to = project.store.session(id);
  if (await to.stat(journalFile)) {
    throw new RalphError("source", {
      message: `Session ${id} is already in this store.`,
      remedy: "Continue it with `ralph run --resume`, without a folder.",
    });
  }
  const plan = await bundledPlanOf(from, state);
  if (plan) requireAuthor(state);
  const asked = { state, edit, bundle: from, makeConfig };
  if (start !== "checked" || tasks !== "judged")
    await requireTrusted(system, { project, start, tasks }, asked);
  const own = createEvidence(to);
  for (const ref of evidence) await own.put(await readEvidence(from, ref));
  await copy(from, to, packFile);
  // The plan of an autopilot run: without it, the session could not be published or packed again.
  if (plan) await copy(from, to, planFile);
  await adoptBranch(system, { project, state, pack: `${to.root}/${packFile}` });
  // Last: a folder without a journal is not a session, so a refused or partial import is never resumed.
  await copy(from, to, journalFile);
  return id;
}

type Bundled = {
  state: SessionState;
  edit: string | undefined;
  bundle: Files;
  makeConfig: Import["makeConfig"];
};

/** Configuration and task list decide which commands run, so they must not come from the bundle. */
async function requireTrusted(
  system: System,
  { project, start, tasks }: Pick<Import, "project" | "start" | "tasks">,
  { state, edit, bundle, makeConfig }: Bundled,
): Promise<void> {
  await project.store.files.makeFolder("");
  await using repo = await openSide(system, project);
  if (start !== "checked") await requireStart(repo, { state, bundle, makeConfig });
  if (tasks !== "judged")
    await requireList(repo, { state, edit, pack: `${bundle.root}/${packFile}` });
}

async function readBundle(from: Files, bundle: string) {
  const evidence = new Map<string, EvidenceRef>();
  let edit: string | undefined;
  const replay = await replayJournal(from, (event) => {
    for (const ref of evidenceOf(event)) evidence.set(ref.sha256, ref);
    if (event.type === "tasks_reloaded") edit = event.commit;
  });
  if (!replay) throw refused(bundle, `there is no ${journalFile} in it`);
  const { state } = replay;
  if (!/^\d{8}-\d{6}-[0-9a-f]+$/.test(state.session.session_id)) {
    throw refused(bundle, "its session id is malformed");
  }
  return { state, edit, evidence: evidence.values() };
}

/** Imports the session's commits, and moves its branch to the session's head. */
async function adoptBranch(
  system: System,
  { project, state, pack }: { project: LocatedProject; state: SessionState; pack: string },
): Promise<void> {
  const { branch } = state.session;
  const { root, store } = project;
  const repo = await openRepository(system, { directory: root, stateDir: store.folder });
  const dirty = await dirtyPaths(repo);
  if (dirty.ours.length + dirty.others.length > 0) {
    throw new RalphError("git", {
      message: "The work tree is not clean; a bundle can only be resumed in a clean checkout.",
      remedy: "Commit your changes, or stash them with `git stash -u`.",
    });
  }
  const read = await readPack(repo, pack);
  if (read.kind === "refused") throw refused(pack, read.because);
  const tip = await readBranch(repo, branch);
  const isBehind = tip === state.session.start.commit || tip === undefined;
  if (isBehind) await moveBranch(repo, { branch, from: tip, to: state.head });
  const { commit } = await switchToBranch(repo, branch);
  // When the branch was checked out already, it has moved and its files are still the old ones.
  await resetTo(repo, await treeOf(repo, commit));
  await syncUserIndex(repo);
}

async function copy(from: Files, to: Files, path: string): Promise<void> {
  const bytes = await from.read(path, { maxBytes: maxPackBytes });
  if (bytes) await to.write(path, bytes);
}

function refused(bundle: string, because: string, cause?: unknown): RalphError {
  return new RalphError("source", {
    message: `${bundle} is not a ralph bundle: ${because.replace(/\.$/, "")}.`,
    remedy: "Give the folder of a session artifact, with journal.jsonl, evidence and objects.pack.",
    cause,
  });
}

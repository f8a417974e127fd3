import { RalphError } from "../error.ts";
import { readPack } from "../git/bundle.ts";
import { moveBranch, readBranch } from "../git/move-branch.ts";
import { openRepository } from "../git/open-repository.ts";
import { dirtyPaths } from "../git/start.ts";
import { switchToBranch } from "../git/switch-branch.ts";
import { journalFile, replayJournal } from "../journal/journal.ts";
import type { Run } from "../run/run.ts";
import type { Files, System } from "../system/system.ts";
import type { Project } from "./open-project.ts";

export const packFile = "objects.pack";
const maxEvidenceBytes = 8 * 1024 * 1024;
const maxPackBytes = 256 * 1024 * 1024;
const maxFiles = 100_000;

/**
 * Takes a bundle from elsewhere into the store (design 2, T57): only files of fixed names, no links, capped,
 * and only when its journal's chain holds. Answers the session's id.
 */
export async function importBundle(
  system: System,
  { project, bundle }: { project: Project; bundle: string },
): Promise<string> {
  const from = system.files(bundle.startsWith("/") ? bundle : `${project.root}/${bundle}`);
  const replay = await replayJournal(from);
  if (!replay) throw refused(bundle, `there is no ${journalFile} in it`);
  const id = replay.run.session.session_id;
  if (!/^\d{8}-\d{6}-[0-9a-f]+$/.test(id))
    throw refused(bundle, "its session id is not one of ours");
  const to = project.store.session(id);
  if (await to.stat(journalFile)) {
    throw new RalphError("source", {
      message: `Session ${id} is known here already.`,
      remedy: "Go on with what is here by `ralph run --resume`, without a folder.",
    });
  }
  await copyEvidence(from, to, bundle);
  await copy(from, { to, path: packFile, maxBytes: maxPackBytes });
  // Last: a session without a journal is no session, so a torn copy is never resumed.
  await copy(from, { to, path: journalFile, maxBytes: maxPackBytes });
  await adoptBranch(system, { project, run: replay.run, pack: `${to.root}/${packFile}` });
  return id;
}

/** Brings the session's commits into this repository and its branch to where the session left it. */
async function adoptBranch(
  system: System,
  { project, run, pack }: { project: Project; run: Run; pack: string },
): Promise<void> {
  const { branch } = run.session;
  const { root, store } = project;
  const repo = await openRepository(system, { directory: root, stateDir: store.folder });
  const dirty = await dirtyPaths(repo);
  if (dirty.ours.length + dirty.others.length > 0) {
    throw new RalphError("git", {
      message: "The work tree is not clean; a bundle needs a fresh checkout to go on in.",
      remedy: "Commit your changes, or put them aside with `git stash -u`.",
    });
  }
  const read = await readPack(repo, pack);
  if (read.kind === "refused") throw refused(pack, read.because);
  const tip = await readBranch(repo, branch);
  const isBehind = tip === run.session.start.commit || tip === undefined;
  if (isBehind) await moveBranch(repo, { branch, from: tip, to: run.head });
  await switchToBranch(repo, branch);
}

async function copyEvidence(from: Files, to: Files, bundle: string): Promise<void> {
  const names = await from.list("evidence");
  if (names.length > maxFiles) throw refused(bundle, `it has ${names.length} pieces of evidence`);
  for (const name of names.filter((candidate) => /^[0-9a-f]{64}$/.test(candidate))) {
    await copy(from, { to, path: `evidence/${name}`, maxBytes: maxEvidenceBytes });
  }
}

async function copy(
  from: Files,
  { to, path, maxBytes }: { to: Files; path: string; maxBytes: number },
): Promise<void> {
  const bytes = await from.read(path, { maxBytes });
  if (bytes) await to.write(path, bytes);
}

function refused(bundle: string, because: string): RalphError {
  return new RalphError("source", {
    message: `${bundle} is not a bundle of ours: ${because}.`,
    remedy: "Give the folder of a session artifact, with journal.jsonl, evidence and objects.pack.",
  });
}

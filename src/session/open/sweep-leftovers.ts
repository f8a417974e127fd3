import { dirname } from "node:path/posix";
import type { Repository } from "../../git/repository/repository.ts";
import { removeCheckout } from "../../git/worktree/checkout-tree.ts";
import { type SessionStore, sessionIds } from "../../journal/session-store.ts";
import { sweepTemporaryFiles } from "../../platform/fs/temporary-file.ts";
import { visibleFolder } from "../../platform/fs/visible-folder.ts";
import { endOrphans } from "../../platform/process/orphans.ts";
import { isRunning } from "../../platform/process/process-table.ts";
import type { Files, System } from "../../platform/system.ts";
import { baselineFolder } from "../loop/gate-deps.ts";
import { homesFolder } from "./open-sandbox.ts";

type Places = {
  repo: Repository;
  store: SessionStore;
  /** The folder in which the session's files are shown, absolute. */
  sessionDir: string;
  /** Files of the repository that ralph writes, relative to the project root. */
  documents: readonly string[];
};

/**
 * Ends processes that killed sessions left running, and removes their half-written files: temporary files in every
 * folder ralph writes to, and the start tree's checkout (F03, F26). Answers the names of the temporary files. The
 * caller holds the lock.
 */
export async function sweepLeftovers(
  system: Pick<System, "files">,
  { repo, store, sessionDir, documents }: Places,
): Promise<string[]> {
  const { files } = system;
  const visible = visibleFolder(store.folder);
  await endLeftPrograms(repo.root, store);
  const sessions = (await sessionIds(store)).map((id) => store.session(id));
  const swept = await Promise.all([
    sweep(files(repo.root), documents.map(dirname)),
    sweep(store.files, [".", "setup"]),
    sweep(files(visible), ["."]),
    sweep(files(sessionDir), sessionFolders),
    sweep(files(repo.gitDir), ["."]),
    sweep(files(repo.commonDir), ["info"]),
    sweep(files(repo.privateDir), [".", "info"]),
    ...sessions.map((session) => sweep(session, [".", "evidence"])),
  ]);
  await Promise.all(
    sessions.map(({ root }) => removeCheckout(system, `${root}/${baselineFolder}`)),
  );
  await removeDeadHomes(store);
  return swept.flat();
}

/**
 * Ends what killed runs of ralph left running in the work tree, in their checkouts and in projects that were removed since
 * (without a sandbox, services outlive them and hold their ports), and removes what a verification leaves half-written. A
 * session may run meanwhile.
 */
export async function sweepKilled(
  { files }: Pick<System, "files">,
  { root, store, sessionDir }: Pick<Places, "store" | "sessionDir"> & { root: string },
): Promise<void> {
  await sweepStore({ root, store });
  await sweep(files(sessionDir), sessionFolders);
  await sweep(files(root), [".ralph-session"]);
}

/** The same for what is kept beside sessions: clones and stores of killed proofs, and the programs that ran in them. */
export async function sweepStore({
  root,
  store,
}: Pick<Places, "store"> & { root: string }): Promise<void> {
  await endLeftPrograms(root, store);
  await sweep(store.files, ["."]);
  await removeDeadHomes(store);
}

const endLeftPrograms = (root: string, store: SessionStore) =>
  endOrphans([root, store.folder, visibleFolder(store.folder)]);

async function removeDeadHomes(store: SessionStore): Promise<void> {
  for (const owner of await store.files.list(homesFolder))
    if (!isRunning({ pid: Number(owner), startTime: undefined }))
      await store.files.remove(`${homesFolder}/${owner}`);
}

/** Folders of the session directory in which files are written. */
const sessionFolders = [
  ...[".", "logs", "pids"],
  ...["screenshots", "snapshots", "robot"].map((name) => `artifacts/${name}`),
];

async function sweep(files: Files, folders: readonly string[]): Promise<string[]> {
  const swept: string[] = [];
  for (const folder of new Set(folders)) swept.push(...(await sweepTemporaryFiles(files, folder)));
  return swept;
}

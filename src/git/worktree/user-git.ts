import type { Repository } from "../repository/repository.ts";
import {
  type RefChange,
  readOccupiedRefs,
  readRefFiles,
  readUserRefs,
  restoreUserRefs,
} from "./user-refs.ts";

/** The settings that decide which programs the user's git starts, and the targets of branches and tags. */
export interface UserGit {
  files: ReadonlyMap<string, Buffer>;
  refs: ReadonlyMap<string, string>;
  /** As `readRefFiles` saw them just before. */
  refFiles: string | undefined;
  /** Branches checked out in other work trees, where a person may commit at any time. */
  occupied: ReadonlySet<string>;
}

/** The changes of an agent's call: files, which are as before again, and branches and tags. */
export interface UserGitChanges {
  files: string[];
  refs: readonly RefChange[];
  /** How it is now; undefined after a change. */
  after: UserGit | undefined;
}

const settings = ["config", "config.worktree", "info/attributes"];
/** Larger files are no settings. */
const maxBytes = 1024 * 1024;

type Known = {
  /** The session's own, which git keeps itself. */
  branch: string;
  /** An earlier reading; refs whose files have not changed since are not read again. */
  known: UserGit | undefined;
};

/** Reads the repository's settings, hooks, branches and tags. */
export async function readUserGit(repo: Repository, { branch, known }: Known): Promise<UserGit> {
  const refFiles = await readRefFiles(repo, branch);
  const isKnown = refFiles !== undefined && refFiles === known?.refFiles;
  const [files, refs, occupied] = await Promise.all([
    readFiles(repo),
    isKnown ? known.refs : readUserRefs(repo, branch),
    readOccupiedRefs(repo),
  ]);
  return { files, refs, refFiles, occupied };
}

/**
 * Puts changed settings, hooks, branches and tags back: without a sandbox an agent can write them, and the user's next git
 * command would start or push what they name (T41). Branches of other work trees stay: a person may have moved them.
 */
export async function restoreUserGit(
  repo: Repository,
  { before, branch }: { before: UserGit; branch: string },
): Promise<UserGitChanges> {
  const files = repo.system.files(repo.commonDir);
  const after = await readUserGit(repo, { branch, known: before });
  const changed = changedKeys(before.files, after.files, (a, b) => a.equals(b));
  for (const path of changed) {
    const content = before.files.get(path);
    await files.remove(path);
    if (content) await files.write(path, content);
  }
  const changes = changedKeys(before.refs, after.refs, (a, b) => a === b).map((name) => ({
    ...{ name, before: before.refs.get(name), after: after.refs.get(name) },
  }));
  const isOccupied = ({ name }: { name: string }) => before.occupied.has(name);
  const kept = changes.filter(isOccupied).map((each) => ({ ...each, isRestored: false }));
  const restored = await restoreUserRefs(
    repo,
    changes.filter((each) => !isOccupied(each)),
  );
  const isSame = changed.length === 0 && changes.length === 0;
  return { files: changed, refs: [...kept, ...restored], after: isSame ? after : undefined };
}

const changedKeys = <Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  isSame: (one: Value, other: Value) => boolean,
): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((key) => {
    const [one, other] = [before.get(key), after.get(key)];
    return one === undefined || other === undefined || !isSame(one, other);
  });

/** A link or anything else that is no file counts as an empty file: it would lead elsewhere. */
async function readFiles(repo: Repository): Promise<Map<string, Buffer>> {
  const files = repo.system.files(repo.commonDir);
  const isFolder = (await files.stat("hooks"))?.kind === "folder";
  const hooks = isFolder ? (await files.list("hooks")).map((name) => `hooks/${name}`) : [];
  const found = new Map<string, Buffer>();
  for (const path of [...settings, ...hooks]) {
    const kind = (await files.stat(path))?.kind;
    if (kind === undefined || kind === "folder") continue;
    const content = kind === "file" ? await files.read(path, { maxBytes }) : undefined;
    found.set(path, content ?? Buffer.alloc(0));
  }
  return found;
}

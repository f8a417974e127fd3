import type { Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";

/** The settings that decide which programs the user's git starts, and the targets of branches and tags. */
export interface UserGit {
  files: ReadonlyMap<string, Buffer>;
  refs: ReadonlyMap<string, string>;
}

/** The changes of an agent's call: files, which are as before again, and branches and tags, which are only named. */
export interface UserGitChanges {
  files: string[];
  refs: { name: string; before: string | undefined }[];
}

const settings = ["config", "config.worktree", "info/attributes"];
/** Larger files are no settings. */
const maxBytes = 1024 * 1024;

/** Reads the repository's settings, hooks, branches and tags; `branch` is the session's own, which git keeps itself. */
export async function readUserGit(repo: Repository, branch: string): Promise<UserGit> {
  return { files: await readFiles(repo), refs: await readRefs(repo, branch) };
}

/**
 * Puts changed settings and hooks back: without a sandbox an agent can write them, and the user's next git command would
 * start what they name (T41). Branches and tags stay, because a person may have moved them meanwhile.
 */
export async function restoreUserGit(
  repo: Repository,
  { before, branch }: { before: UserGit; branch: string },
): Promise<UserGitChanges> {
  const files = repo.system.files(repo.commonDir);
  const after = await readUserGit(repo, branch);
  const changed = changedKeys(before.files, after.files, (a, b) => a.equals(b));
  for (const path of changed) {
    const content = before.files.get(path);
    await files.remove(path);
    if (content) await files.write(path, content);
  }
  const refs = changedKeys(before.refs, after.refs, (a, b) => a === b);
  return { files: changed, refs: refs.map((name) => ({ name, before: before.refs.get(name) })) };
}

function changedKeys<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  isSame: (one: Value, other: Value) => boolean,
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((key) => {
    const [one, other] = [before.get(key), after.get(key)];
    return one === undefined || other === undefined || !isSame(one, other);
  });
}

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

async function readRefs(repo: Repository, branch: string): Promise<Map<string, string>> {
  const format = "--format=%(objectname) %(refname)";
  const text = await runGit(repo, ["for-each-ref", format, "refs/heads", "refs/tags"]);
  const lines = text.toString().split("\n").filter(Boolean);
  const refs = lines.map((line): [string, string] => {
    const [id = "", name = ""] = line.split(" ");
    return [name, id];
  });
  return new Map(refs.filter(([name]) => name !== `refs/heads/${branch}`));
}

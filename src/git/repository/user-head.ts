import type { Files } from "../../platform/system.ts";
import type { Repository } from "./repository.ts";

const symbolic = /^ref: refs\/heads\/(.+)\n?$/;

/** The branch the user's HEAD names, or undefined when it is detached or not readable. */
export async function readUserBranch(gitFiles: Files): Promise<string | undefined> {
  // An agent may replace HEAD by a link or a pipe; that counts as moved.
  if ((await gitFiles.stat("HEAD"))?.kind !== "file") return undefined;
  const text = await gitFiles.read("HEAD", { maxBytes: 4096 });
  return symbolic.exec(text?.toString() ?? "")?.[1];
}

/** A revision for the commit of the user's HEAD; the private directory's own HEAD is empty. */
export async function readUserRevision(repo: Repository): Promise<string> {
  const text = await repo.system.files(repo.gitDir).read("HEAD", { maxBytes: 4096 });
  const head = (text?.toString() ?? "").trim().replace(/^ref: /, "");
  return /^[0-9a-f]{40,64}$/.test(head) || head.startsWith("refs/heads/") ? head : "HEAD";
}

/** Points the user's HEAD at a branch by writing the file: no hook runs, and the work tree does not change. */
export async function writeUserHead(repo: Repository, branch: string): Promise<void> {
  const gitFiles = repo.system.files(repo.gitDir);
  if ((await readUserBranch(gitFiles)) === branch) return;
  if ((await gitFiles.stat("HEAD"))?.kind !== "file") await gitFiles.remove("HEAD");
  await gitFiles.write("HEAD", `ref: refs/heads/${branch}\n`);
}

import { createHash } from "node:crypto";
import { isProofOn } from "../../core/proof/settings.ts";
import { isRed } from "../../gates/baseline.ts";
import { type GateResult, runGate } from "../../gates/gates.ts";
import { packageFolders } from "../../gates/link-packages.ts";
import { hideFromSide } from "../../git/open/side-worktree.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { listTree } from "../../git/trees/list-paths.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { jsonValue } from "../../text/json-value.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import type { SessionContext } from "../loop/session-context.ts";

/** Copies of installed packages in the store, one folder for each state of lock files, or of manifests without them. */
const keptFolder = "packages";
const maxKept = 3;

/** Without `setup` steps, copies the installed Node packages before any agent can write there, once for each state of lock files. */
export async function keepPackages(session: SessionContext): Promise<void> {
  const { config, policy, store, repo, journal } = session;
  if (config.setup.length > 0 || !isProofOn(policy.proof)) return;
  const needed = await readNeeds(repo, journal.state.session.start.tree);
  const folder = `${keptFolder}/${needed.digest}`;
  if (needed.isEmpty || (await store.stat(folder))) return;
  const installed = await foldersIn(session, { root: repo.root, paths: needed.folders });
  if (installed.length === 0) return;
  const [oldest] = await store.list(keptFolder);
  if ((await store.list(keptFolder)).length >= maxKept)
    await store.remove(`${keptFolder}/${oldest}`);
  await store.makeFolder(folder);
  await copyFolders(session, { from: repo.root, to: `${store.root}/${folder}`, paths: installed });
}

/** The packages that lie in a proof's work tree, by the digest of what asks for them. */
const laidOut = new WeakMap<Repository, string>();

/** Lays out a tree's packages in its checkout: the copy, or as its own lock file says. Answers an installation that failed. */
export async function layOutPackages(
  context: SessionContext,
  tree: string,
): Promise<GateResult | undefined> {
  const { store, repo, journal } = context;
  const needed = await readNeeds(repo, tree);
  if (needed.isEmpty || laidOut.get(repo) === needed.digest) return undefined;
  laidOut.set(repo, needed.digest);
  if (!(await store.stat(`${keptFolder}/${needed.digest}`)) && needed.install !== undefined) {
    const step = { cmd: needed.install, timeout_seconds: 900 };
    const result = await runGate(gateDeps(context), step);
    return isRed(result) ? result : undefined;
  }
  const start = await readNeeds(repo, journal.state.session.start.tree);
  for (const { digest } of [needed, start]) {
    const from = `${store.root}/${keptFolder}/${digest}`;
    const paths = await foldersIn(context, { root: from, paths: needed.folders });
    if (paths.length === 0) continue;
    await copyFolders(context, { from, to: repo.root, paths });
    // An ignore rule may not cover it.
    return await hideFromSide(repo, paths).then(() => undefined);
  }
  return undefined;
}

/** The next tree gets its packages again. */
export const forgetPackages = (repo: Repository): void => void laidOut.delete(repo);

const installers: readonly [RegExp, string][] = [
  [/^(?:package-lock|npm-shrinkwrap)\.json$/, "npm ci --no-audit --no-fund"],
  [/^pnpm-lock\.yaml$/, "pnpm install --frozen-lockfile"],
  [/^yarn\.lock$/, "yarn install --frozen-lockfile"],
  [/^bun\.lockb?$/, "bun install --frozen-lockfile"],
];
const isLock = (path: string) => installers.some(([lock]) => lock.test(path.replace(/^.*\//, "")));

/** The packages a tree needs: `install` where a lock file in its root says how. */
type Needs = { digest: string; folders: string[]; isEmpty: boolean; install: string | undefined };

async function readNeeds(repo: Repository, tree: string): Promise<Needs> {
  const paths = await listTree(repo, tree);
  const folders = packageFolders(paths);
  const install = installers.find(([lock]) => paths.some((path) => lock.test(path)))?.[1];
  const locks = paths.filter(isLock);
  const read = async (path: string) => (await readBlob(repo, { treeish: tree, path }))?.toString();
  const manifests = await Promise.all(
    folders.map((folder) => read(`${folder.slice(0, -"node_modules".length)}package.json`)),
  );
  const declared = manifests.map(dependenciesIn);
  const asked = locks.length > 0 ? await Promise.all(locks.map(read)) : declared;
  const digest = createHash("sha256")
    .update(JSON.stringify([locks, asked]))
    .digest("hex");
  return { digest, folders, install, isEmpty: declared.every((text) => text === "") };
}

/** The packages a manifest names, as text to compare; empty when it names none. */
function dependenciesIn(manifest: string | undefined): string {
  // A manifest that cannot be read names nothing; its gates say so.
  const { dependencies, devDependencies, optionalDependencies, workspaces } = Object(
    jsonValue(manifest ?? ""),
  );
  const named = { dependencies, devDependencies, optionalDependencies, workspaces };
  const isEmpty = Object.values(named).every((part) => Object.keys(part ?? {}).length === 0);
  return isEmpty ? "" : JSON.stringify(named);
}

async function foldersIn(
  { system }: SessionContext,
  { root, paths }: { root: string; paths: readonly string[] },
): Promise<string[]> {
  const files = system.files(root);
  const stats = await Promise.all(paths.map(async (path) => (await files.stat(path))?.kind));
  return paths.filter((_, index) => stats[index] === "folder");
}

/** Keeps links as they are: those of workspaces are relative and lead into the checkout. */
async function copyFolders(
  { system }: SessionContext,
  { from, to, paths }: { from: string; to: string; paths: readonly string[] },
): Promise<void> {
  for (const path of paths) {
    await system.files(to).remove(path);
    await system.files(to).makeFolder(path);
    const args = ["-a", `${from}/${path}/.`, `${to}/${path}/`];
    await system.ask({ file: "cp", args, cwd: to, env: system.env });
  }
}

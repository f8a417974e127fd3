import { basename, dirname } from "node:path";
import { unlessBug } from "../../error.ts";
import { createPrivateFolder, moveFolder, placeLink } from "../../platform/fs/folder-tree.ts";
import { readPathKinds } from "../../platform/fs/path-kinds.ts";
import type { Environment, Files, System } from "../../platform/system.ts";
import type { Driver } from "../drivers/driver.ts";
import { credentialVariables } from "../drivers/drivers.ts";
import { refreshedLogin } from "./login.ts";

/** Where the homes of a session's calls are made, and what appears in them. */
export interface Homes {
  /** The folder for them, absolute; only ralph can enter it. */
  readonly folder: string;
  /** The home folder programs in the sandbox see; undefined where they see the folder itself. */
  readonly seenAt?: string | undefined;
  /** Shared by the calls of a session; names below a home folder. */
  readonly caches: readonly string[];
  /** Installed tools below the user's home, linked without a sandbox. Absolute. */
  readonly tools: readonly string[];
}

/** A home folder of one call's own: empty but for the login of its program (T08, T18, design 5). */
export interface CallHome extends AsyncDisposable {
  readonly folder: string;
  readonly caches: string;
  readonly readable: readonly string[];
  /** Changes of the program's environment; undefined removes a variable. */
  readonly env: Environment;
}

type Opened = Pick<System, "files" | "env">;

type Wanted = {
  homes: Homes;
  driver: Driver;
  isSandboxed: boolean;
  /** Its key stays outside: then it gets no login either. */
  isKeyProxied?: boolean;
};

/** Longest login file that is copied. */
const maxBytes = 256 * 1024;

/** Makes the home of one call. When it is closed, refreshed tokens are copied back, and the folder is removed. */
export async function openHome(
  system: Opened,
  { homes, driver, isSandboxed, isKeyProxied = false }: Wanted,
): Promise<CallHome> {
  const folder = createPrivateFolder(homes.folder, "call-");
  const caches = `${homes.folder}/caches`;
  const files = system.files(folder);
  await files.write(".gitconfig", gitSettings);
  await writeSettings(system, driver, folder);
  const login = isKeyProxied ? undefined : await copyLogin(system, driver, folder);
  if (isSandboxed) for (const name of homes.caches) await system.files(caches).makeFolder(name);
  else linkInto(folder, { homes, caches, home: system.env.HOME ?? "" });
  return {
    folder,
    caches,
    readable: namedFiles(system.env, driver),
    env: {
      HOME: (isSandboxed && homes.seenAt) || folder,
      ...(driver.login?.variable && { [driver.login.variable]: undefined }),
      ...(login && driver.login?.env),
    },
    [Symbol.asyncDispose]: async () => {
      if (login) await copyBack(system, login);
      if (!isSandboxed) keepCaches(folder, { homes, caches });
      await system.files(homes.folder).remove(basename(folder));
    },
  };
}

/** Git refuses a work tree of another user, as in a container, and commits of tests need a name. */
const gitSettings = `[safe]
\tdirectory = *
[user]
\tname = Agent
\temail = agent@localhost
`;

/** The tools keep their places below the home, where they look for their own parts. */
function linkInto(
  folder: string,
  { homes, caches, home }: { homes: Homes; caches: string; home: string },
): void {
  for (const tool of homes.tools) placeLink(tool, `${folder}/${tool.slice(home.length + 1)}`);
  const isFilled = (name: string) => readPathKinds([`${caches}/${name}`]).folders.length > 0;
  for (const name of homes.caches.filter(isFilled))
    placeLink(`${caches}/${name}`, `${folder}/${name}`);
}

/** Without a sandbox a cache is shared from the first call on that has filled it. */
function keepCaches(folder: string, { homes, caches }: { homes: Homes; caches: string }): void {
  for (const name of homes.caches) moveFolder(folder, { name, to: `${caches}/${name}` });
}

async function writeSettings({ files, env }: Opened, { home, settings }: Driver, folder: string) {
  if (home && settings) await files(folder).write(`${home}/${settings.file}`, settings.text(env));
}

type Login = { original: string; folder: string; copy: string; text: string };

async function copyLogin({ files, env }: Opened, { home, login }: Driver, folder: string) {
  if (!login || !home) return undefined;
  const named = login.variable && env[login.variable];
  const path = `${named || `${env.HOME ?? ""}/${home}`}/${login.file}`;
  const [original] = readPathKinds([path]).files;
  const text = original && (await readText(files(dirname(original)), basename(original)));
  if (!original || text === undefined) return undefined;
  const copy = `${home}/${login.file}`;
  await files(folder).write(copy, text);
  return { original, folder, copy, text };
}

/** Only when nothing else has changed the login meanwhile, and only fresh tokens. */
async function copyBack({ files }: Opened, { original, folder, copy, text }: Login): Promise<void> {
  const after = await readText(files(folder), copy);
  const refreshed = after === undefined ? undefined : refreshedLogin(text, after);
  if (after === text || refreshed === undefined) return;
  const place = files(dirname(original));
  if ((await readText(place, basename(original))) !== text) return;
  // A login on a read-only disk, or mounted as a single file, stays as it is.
  await place.write(basename(original), refreshed).catch(unlessBug);
}

/** The text of a regular file; undefined for anything else. */
async function readText(files: Files, path: string): Promise<string | undefined> {
  try {
    return (await files.read(path, { maxBytes }))?.toString("utf8");
  } catch {
    return undefined;
  }
}

/** Files that the driver's variables name, with their links resolved. */
function namedFiles(env: Environment, driver: Driver): string[] {
  const values = credentialVariables(driver, env).map((name) => env[name] ?? "");
  return [...readPathKinds(values.filter((value) => value.startsWith("/"))).files];
}

/** Removes the homes of a session with its caches. */
export async function removeHomes({ files }: Pick<System, "files">, homes: Homes): Promise<void> {
  await files(dirname(homes.folder)).remove(basename(homes.folder));
}

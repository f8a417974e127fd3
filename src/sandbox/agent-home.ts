import { readPathKinds } from "../platform/fs/path-kinds.ts";

/** The home folder of one agent call, on the machine's own paths. */
export interface AgentHome {
  /** The folder that the program sees as its home; private to the call. */
  readonly folder: string;
  /** The folder with the download caches of the session. */
  readonly caches: string;
  /** Files elsewhere that the driver's credential names, such as a Google service account. */
  readonly readable: readonly string[];
}

/** Download caches that the calls of one session share. None holds settings, or programs that run by their name. */
export const cacheFolders = [
  ".cache/go-build",
  ".cache/pip",
  ".cache/pnpm",
  ".cache/uv",
  ".cache/yarn",
  ".cargo/git",
  ".cargo/registry",
  ".gradle/caches",
  ".gradle/wrapper",
  ".local/share/pnpm/store",
  ".m2/repository",
  ".npm/_cacache",
  ".nuget/packages",
  "go/pkg/mod",
] as const;

/** Installed tools below a home folder that agents must be able to start. None of them holds a credential. */
const toolFolders = [
  ".asdf",
  ".bun/bin",
  ".cache/Cypress",
  ".cache/ms-playwright",
  ".cache/puppeteer",
  ".cargo/bin",
  ".claude/local",
  ".deno/bin",
  ".dotnet",
  ".fnm",
  ".local/bin",
  ".local/lib",
  ".local/pipx",
  ".local/share/claude",
  ".local/share/fnm",
  ".local/share/mise",
  ".local/share/pipx",
  ".local/share/uv",
  ".nix-profile",
  ".nodenv",
  ".npm-global",
  ".nvm",
  ".pyenv",
  ".rbenv",
  ".rustup",
  ".sdkman",
  ".volta",
  "go/bin",
];

/** Prefixes of which only `bin` is a tool: the rest holds a user's own files. */
const mixedPrefixes = ["", ".cargo", ".local", "go"];

/**
 * The tool installations below a home folder: the known ones, and those on PATH, with their libraries where a folder
 * has the form of an installation (`bin` beside `lib`, or `node_modules/.bin`). Paths as named; all exist, and none lies
 * inside another.
 */
export function listToolPaths(home: string, path = ""): string[] {
  const named = path.split(":").filter((folder) => folder.startsWith(`${home}/`));
  const wanted = [
    ...toolFolders.map((name) => `${home}/${name}`),
    ...named.map((folder) => installationOf(folder, home)),
  ];
  const found = [...new Set(wanted)].filter((folder) => readPathKinds([folder]).folders.length > 0);
  return found.filter((folder) => !found.some((other) => folder.startsWith(`${other}/`)));
}

function installationOf(folder: string, home: string): string {
  const above = folder.replace(/\/+[^/]+\/*$/, "");
  if (folder.endsWith("/node_modules/.bin")) return above;
  const isMixed = mixedPrefixes.some((name) => above === (name ? `${home}/${name}` : home));
  const isPrefix = folder.endsWith("/bin") && readPathKinds([`${above}/lib`]).folders.length > 0;
  return isPrefix && !isMixed ? above : folder;
}

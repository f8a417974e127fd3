import { type AgentHome, cacheFolders } from "./agent-home.ts";
import {
  commandInNetwork,
  isolateNetwork,
  mountsOfNetwork,
  type SandboxNetwork,
  variablesInNetwork,
} from "./network-cage.ts";
import { commandInLimits, type ProcessLimits } from "./process-limits.ts";

/** The access of a program in the sandbox (design 5). All paths are absolute, with their links resolved. */
export interface SandboxProfile {
  /** Writable, except for the paths below. */
  readonly worktree: string;
  /** For a read-only role: not even the work tree is writable. */
  readonly isReader?: boolean;
  /** Further writable folders and files: caches, an agent's own settings. May be missing. */
  readonly writable: readonly string[];
  /** Folders that appear, writable, in place of others. All must exist. */
  readonly replaced?: readonly Replacement[];
  /** The repository's git directories, even inside the work tree. Must exist. */
  readonly readOnly: readonly string[];
  /** Folders that appear empty: the state directory, other programs' secrets. Must exist. */
  readonly hiddenFolders: readonly string[];
  /** Files that appear empty. Must exist. */
  readonly hiddenFiles: readonly string[];
  /** For an agent: the home folder of its call in place of the user's. */
  readonly home?: SandboxHome | undefined;
  /** Default: the machine's network. */
  readonly network?: SandboxNetwork | undefined;
  /** The limits of each process; undefined for no limits. */
  readonly limits?: ProcessLimits | undefined;
  /** Whether ralph runs as user 0, which keeps its rights over files and users but none over the machine. */
  readonly isRoot: boolean;
}

/** `by` appears at `path`. */
export interface Replacement {
  readonly path: string;
  readonly by: string;
  /** Folders at `path` that stay in view, readable. */
  readonly kept: readonly string[];
}

/** The content of an agent's home folder. */
export interface SandboxHome extends AgentHome {
  /** Where the program sees it: the user's home folder, so that installed tools find their own parts. */
  readonly seenAt: string;
  /** Installed tools in the user's home: readable. Must exist. */
  readonly tools: readonly string[];
}

type Command = { readonly file: string; readonly args: readonly string[] };
type Mount = { path: string; option: string[] };

/** Separate processes, message queues and host name. */
const isolation = [
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--die-with-parent",
  "--new-session",
];

/** The rights a build as root needs; none of them can change a mount or access another process. */
const rootCapabilities = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "SETGID", "SETUID"];

/** Sockets in these folders lead out of the sandbox (Docker, D-Bus, ssh-agent), even through a read-only mount. */
const emptied = ["/run", "/tmp", "/var/tmp"];

/** Kernel settings that user 0 may write by file permission alone: a fresh /proc would let root change them. */
const kernelDoors = ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"];

/** The part of `/run` in which some distributions have their programs. */
const keptOfRun = ["/run/current-system"];

/** The parts that name resolution needs. They hold sockets that resolve names for anyone: not for a cage (T20). */
const resolvers = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager"];

/** Pure. The same command inside bubblewrap; bwrap sets no_new_privs by itself. */
export function sandboxCommand(program: Command, profile: SandboxProfile): Command {
  const { isRoot, network = { kind: "host" }, limits } = profile;
  const connected = commandInNetwork(program, network);
  const command = limits ? commandInLimits(connected, limits) : connected;
  return {
    file: "bwrap",
    args: [
      ...isolation,
      ...isolateNetwork(network),
      ...renderCapabilities(isRoot),
      ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
      ...orderMounts([
        ...ownMounts(network),
        ...mountsOfNetwork(network),
        ...programMounts(command, profile),
        ...profileMounts(profile),
      ]),
      ...variablesInNetwork(network),
      "--",
      command.file,
      ...command.args,
    ],
  };
}

function renderCapabilities(isRoot: boolean): string[] {
  const kept = isRoot ? rootCapabilities : [];
  return ["--cap-drop", "ALL", ...kept.flatMap((name) => ["--cap-add", `CAP_${name}`])];
}

function ownMounts({ kind }: SandboxNetwork): Mount[] {
  const kept = kind === "host" ? [...resolvers, ...keptOfRun] : keptOfRun;
  return [
    ...emptied.map((path) => ({ path, option: ["--tmpfs", path] })),
    ...[...kernelDoors, ...kept].map((path) => ({
      path,
      option: ["--ro-bind-try", path, path],
    })),
  ];
}

/**
 * Programs and scripts that lie in an emptied folder, as those of a checkout below `/tmp` do, stay readable; what is
 * hidden stays hidden.
 */
function programMounts(
  { file, args }: Command,
  { worktree, hiddenFolders, home }: SandboxProfile,
): Mount[] {
  const empty = [...emptied, "/dev/shm", ...(home ? [home.seenAt] : [])];
  const isBelow = (path: string, folders: readonly string[]) =>
    folders.some((folder) => path.startsWith(`${folder}/`));
  return [file, ...args]
    .filter((path) => isBelow(path, empty) && !isBelow(path, [worktree, ...hiddenFolders]))
    .map((path) => ({ path, option: ["--ro-bind-try", path, path] }));
}

function profileMounts(profile: SandboxProfile): Mount[] {
  return [
    ...(profile.home ? homeMounts(profile.home, profile) : []),
    bindWorktree(profile),
    ...(profile.replaced ?? []).flatMap(replace),
    ...profile.writable.map((path) => ({ path, option: ["--bind-try", path, path] })),
    ...profile.readOnly.map((path) => ({ path, option: ["--ro-bind", path, path] })),
    ...profile.hiddenFolders.map((path) => ({ path, option: ["--tmpfs", path] })),
    ...profile.hiddenFiles.map((path) => ({ path, option: ["--ro-bind", "/dev/null", path] })),
  ];
}

const replace = ({ path, by, kept }: Replacement): Mount[] => [
  { path, option: ["--bind", by, path] },
  ...kept.map((folder) => ({ path: folder, option: ["--ro-bind-try", folder, folder] })),
];

function homeMounts(home: SandboxHome, { isReader }: SandboxProfile): Mount[] {
  const { folder, caches, seenAt, tools, readable } = home;
  const bind = isReader ? "--ro-bind" : "--bind";
  return [
    { path: seenAt, option: ["--bind", folder, seenAt] },
    ...tools.map((path) => ({ path, option: ["--ro-bind-try", path, path] })),
    ...cacheFolders.map((name) => {
      const path = `${seenAt}/${name}`;
      return { path, option: [`${bind}-try`, `${caches}/${name}`, path] };
    }),
    ...readable.map((path) => ({ path, option: ["--ro-bind-try", path, path] })),
  ];
}

function bindWorktree({ worktree: path, isReader }: SandboxProfile): Mount {
  return { path, option: [isReader ? "--ro-bind" : "--bind", path, path] };
}

/**
 * Outer folders first, so that an inner rule always wins: a work tree below `/tmp`, a `.git` inside it, a
 * work tree inside a hidden folder. For one path the later, stricter kind wins (the sort is stable).
 */
function orderMounts(mounts: readonly Mount[]): string[] {
  const depth = ({ path }: Mount) => path.split("/").filter(Boolean).length;
  return mounts.toSorted((one, other) => depth(one) - depth(other)).flatMap(({ option }) => option);
}

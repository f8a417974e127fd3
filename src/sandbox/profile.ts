import { type AgentHome, cacheFolders } from "./agent-home.ts";
import {
  commandInNetwork,
  isolateNetwork,
  mountsOfNetwork,
  type SandboxNetwork,
  variablesInNetwork,
} from "./network-cage.ts";
import { commandInLimits, type ProcessLimits, type ProgramCommand } from "./process-limits.ts";

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
  /** The file with the filter of system calls; undefined where the kernel has none. */
  readonly filter?: string | undefined;
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

type Mount = { path: string; option: string[] };

const mount = (option: string, path: string, from = path): Mount => ({
  path,
  option: [option, from, path],
});

const hide = (path: string): Mount => ({ path, option: ["--tmpfs", path] });

const show = (path: string): Mount => mount("--ro-bind-try", path);

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

const keptOfRun = ["/run/current-system"];

/** The parts that name resolution needs. They hold sockets that resolve names for anyone: not for a cage (T20). */
const resolvers = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager"];

/** Pure. The same command inside bubblewrap; bwrap sets no_new_privs by itself. */
export function sandboxCommand(program: ProgramCommand, profile: SandboxProfile): ProgramCommand {
  const { isRoot, network = { kind: "host" }, limits, filter } = profile;
  const connected = commandInNetwork(program, network);
  const command = limits ? commandInLimits(connected, limits) : connected;
  return startBubblewrap(
    [
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
    filter,
  );
}

/** $0 is the filter. bubblewrap alone would report as this does that nothing was started; the shell's own error would be a program's. */
const withFilter = `
test -r "$0" || { echo "bwrap: $0 cannot be read" >&2; exit 1; }
exec bwrap --seccomp 9 "$@" 9<"$0"
`;

/** bubblewrap reads the filter from a descriptor, which a shell opens before it becomes bubblewrap. */
function startBubblewrap(args: readonly string[], filter: string | undefined): ProgramCommand {
  if (filter === undefined) return { file: "bwrap", args };
  return { file: "sh", args: ["-c", withFilter, filter, ...args] };
}

function renderCapabilities(isRoot: boolean): string[] {
  const kept = isRoot ? rootCapabilities : [];
  return ["--cap-drop", "ALL", ...kept.flatMap((name) => ["--cap-add", `CAP_${name}`])];
}

function ownMounts({ kind }: SandboxNetwork): Mount[] {
  const kept = kind === "host" ? [...resolvers, ...keptOfRun] : keptOfRun;
  return [...emptied.map(hide), ...[...kernelDoors, ...kept].map(show)];
}

/** Programs and scripts in an emptied folder, such as a checkout below `/tmp`, stay readable unless hidden. */
function programMounts(
  { file, args }: ProgramCommand,
  { worktree, hiddenFolders, home }: SandboxProfile,
): Mount[] {
  const empty = [...emptied, "/dev/shm", ...(home ? [home.seenAt] : [])];
  const isBelow = (path: string, folders: readonly string[]) =>
    folders.some((folder) => path.startsWith(`${folder}/`));
  return [file, ...args]
    .filter((path) => isBelow(path, empty) && !isBelow(path, [worktree, ...hiddenFolders]))
    .map(show);
}

function profileMounts(profile: SandboxProfile): Mount[] {
  return [
    ...(profile.home ? homeMounts(profile.home, profile) : []),
    mount(profile.isReader ? "--ro-bind" : "--bind", profile.worktree),
    ...(profile.replaced ?? []).flatMap(({ path, by, kept }) => [
      mount("--bind", path, by),
      ...kept.map(show),
    ]),
    ...profile.writable.map((path) => mount("--bind-try", path)),
    ...profile.readOnly.map((path) => mount("--ro-bind", path)),
    ...profile.hiddenFolders.map(hide),
    ...profile.hiddenFiles.map((path) => mount("--ro-bind", path, "/dev/null")),
  ];
}

function homeMounts(home: SandboxHome, { isReader }: SandboxProfile): Mount[] {
  const { folder, caches, seenAt, tools, readable } = home;
  const bind = isReader ? "--ro-bind-try" : "--bind-try";
  return [
    mount("--bind", seenAt, folder),
    ...tools.map(show),
    ...cacheFolders.map((name) => mount(bind, `${seenAt}/${name}`, `${caches}/${name}`)),
    ...readable.map(show),
  ];
}

/**
 * Outer folders first, so that an inner rule always wins: a work tree below `/tmp`, a `.git` inside it, a
 * work tree inside a hidden folder. For one path the later, stricter kind wins (the sort is stable).
 */
function orderMounts(mounts: readonly Mount[]): string[] {
  const depth = ({ path }: Mount) => path.split("/").filter(Boolean).length;
  return mounts.toSorted((one, other) => depth(one) - depth(other)).flatMap(({ option }) => option);
}

/**
 * Why nothing was started, when an `exited` result means that bubblewrap failed: the program is missing or a mount
 * failed. Undefined when the program itself ran. A program that prints the same line only changes the message of its own
 * failure.
 */
export function readStartFailure(result: { code: number; stderr: string }): string | undefined {
  if (result.code !== 1) return undefined;
  const [first = "", ...rest] = result.stderr.trim().split("\n");
  return rest.length === 0 && first.startsWith("bwrap: ")
    ? first.slice("bwrap: ".length)
    : undefined;
}

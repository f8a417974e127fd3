import { numberOf } from "../platform/fs/folder-tree.ts";
import type { System } from "../platform/system.ts";
import { type SandboxProfile, sandboxCommand } from "./profile.ts";

export type SandboxProbe = { kind: "works" } | { kind: "broken"; reason: string };

/**
 * Probes without changing anything. On a read-only mount `-w` is false for every user, root included.
 * $1 is the work tree; then, per read-only path, hidden folder or private home: `r`, `h` or `p`, the path, and its
 * expected content: for a home the number of its folder, which the user's own does not have.
 */
const script = `
echo "init $(cat /proc/1/comm)"
echo "rights $(grep NoNewPrivs /proc/self/status | tr -dc 0-9)"
echo "interfaces $(sed -n 's/^ *\\([^:]*\\):.*/\\1/p' /proc/net/dev | tr '\\n' ' ')"
[ -w "$1" ] && echo "worktree writable"
shift
while [ $# -gt 2 ]; do
  [ "$1" = r ] && [ -w "$2" ] && echo "open $2"
  [ "$1" = p ] && [ "$(stat -c %i "$2")" != "$3" ] && echo "seen $2"
  [ "$1" = h ] && [ "$(ls -A "$2")" != "$3" ] && echo "seen $2"
  shift 3
done
exit 0
`;

/** Runs bubblewrap once with the real profile and checks that every defence works. */
export async function probeSandbox(
  { ask, env }: Pick<System, "ask" | "env">,
  profile: SandboxProfile,
): Promise<SandboxProbe> {
  const probes = [
    ...profile.readOnly.flatMap((path) => ["r", path, ""]),
    ...profile.hiddenFolders.flatMap((path) => ["h", path, namesIn(path, profile)]),
    ...(profile.home ? ["p", profile.home.seenAt, numberOf(profile.home.folder)] : []),
  ];
  const inner = { file: "sh", args: ["-c", script, "sh", profile.worktree, ...probes] };
  const command = sandboxCommand(inner, profile);
  const result = await ask({ ...command, cwd: profile.worktree, env: { PATH: env.PATH } });
  const isClosed = profile.network !== undefined && profile.network.kind !== "host";
  return judgeProbe({ ...result, stdout: result.stdout.toString(), isClosed });
}

/** The entries that ralph's own mounts put into a hidden folder: the path to the work tree, or to hidden paths further below. */
function namesIn(folder: string, profile: SandboxProfile): string {
  const { worktree, hiddenFolders, hiddenFiles } = profile;
  const names = [worktree, ...hiddenFolders, ...hiddenFiles]
    .filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1).split("/")[0]);
  return [...new Set(names)].sort().join("\n");
}

type Answer = {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** Whether the program must not see the machine's network. */
  isClosed?: boolean;
};

/** The first missing defence, or `works`. Pure. */
export function judgeProbe(answer: Answer): SandboxProbe {
  const reason = findDefect(answer);
  return reason === undefined ? { kind: "works" } : { kind: "broken", reason };
}

function findDefect({ exitCode, stdout, stderr, isClosed }: Answer): string | undefined {
  if (exitCode === 127) return "bubblewrap (`bwrap`) is not installed";
  const reason = stderr.trim().split("\n")[0] || "no reason given";
  if (exitCode !== 0) return `bubblewrap cannot start here: ${reason}`;
  const facts = stdout.split("\n");
  if (!facts.includes("init bwrap")) return "processes of the machine can be seen";
  if (!facts.includes("rights 1")) return "programs could gain rights (no_new_privs is off)";
  const isReachable = isClosed && !facts.includes("interfaces lo ");
  if (isReachable) return "the machine's network can be reached";
  if (!facts.includes("worktree writable")) return "the work tree cannot be written";
  const leak = facts.find((fact) => fact.startsWith("open ") || fact.startsWith("seen "));
  return leak && `${leak.slice(5)} can be ${leak.startsWith("open ") ? "written" : "read"}`;
}

/** Limits that the kernel holds for each process of a program (T45). */
export interface ProcessLimits {
  readonly processes: number;
  readonly openFiles: number;
  /** Largest file, bytes. */
  readonly fileBytes: number;
}

/** A program with its arguments. */
export type ProgramCommand = { readonly file: string; readonly args: readonly string[] };

/**
 * $1 processes, $2 open files, $3 blocks of a file; then the program. What cannot be set stays as it is: a limit can only
 * be lowered. The kernel does not count processes of user 0. When memory runs out, these programs end before ralph does.
 */
const script = `
ulimit -c 0
ulimit -u "$1" 2>/dev/null || ulimit -p "$1"
ulimit -n "$2"
ulimit -f "$3"
echo 1000 > /proc/self/oom_score_adj
shift 3
command -v "$1" >&3 || { echo "bwrap: execvp $1: No such file or directory" >&4; exit 1; }
exec "$@" 2>&4 3>&- 4>&-
`;

/** The same command with limits, by means of any `sh`. Pure. */
export function commandInLimits(
  { file, args }: ProgramCommand,
  limits: ProcessLimits,
): ProgramCommand {
  const { processes, openFiles, fileBytes } = limits;
  const counts = [processes, openFiles, Math.ceil(fileBytes / 512)].map(String);
  const quiet = `exec 3>/dev/null 4>&2 2>/dev/null${script}`;
  return { file: "sh", args: ["-c", quiet, "sh", ...counts, file, ...args] };
}

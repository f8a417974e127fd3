import { RalphError } from "../error.ts";

export type FileFault = "outside" | "link" | "not-regular" | "hard-linked" | "too-large" | "io";

/**
 * A file that is refused or cannot be used (T38, T39, F04-F06). Its exit code is that of a broken setup; a caller that
 * knows the file's role wraps it with its own reason and keeps it as the cause.
 */
export class FileError extends RalphError {
  readonly path: string;
  readonly fault: FileFault;

  constructor(
    path: string,
    fault: FileFault,
    options: { message: string; remedy: string; cause?: unknown },
  ) {
    super("config", options);
    this.path = path;
    this.fault = fault;
  }
}

const remedies: Record<string, string> = {
  ENOSPC: "Free some space on this disk, then run again with `--resume`.",
  EDQUOT: "Free some of your disk quota, then run again with `--resume`.",
  EROFS: "Make the file system writable, or move the project to one that is.",
  EACCES: "Give the user that runs ralph the right to use it.",
  EPERM: "Give the user that runs ralph the right to use it.",
  EIO: "Check the disk: it reported an input/output error, and nothing was retried.",
  EMFILE: "Raise the limit of open files (`ulimit -n`).",
};

/** Converts an errno error to one with file, cause and remedy. Other errors are returned unchanged. */
export function toFileError(error: unknown, path: string, verb: "read" | "written"): unknown {
  if (error instanceof FileError || !hasCode(error)) return error;
  return new FileError(path, "io", {
    message: `${path} could not be ${verb}: ${error.message}`,
    remedy: remedies[error.code] ?? `Check ${path} and the disk it is on.`,
    cause: error,
  });
}

/** The result of a file operation; undefined when it fails with this code. */
export async function unless<Result>(code: string, act: Promise<Result>) {
  try {
    return await act;
  } catch (error) {
    if (hasCode(error) && error.code === code) return undefined;
    throw error;
  }
}

/** Whether it is an error of the operating system, with a code such as `ENOENT`. */
export const hasCode = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && "code" in error && typeof error.code === "string";

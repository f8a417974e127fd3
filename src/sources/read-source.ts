import { basename, dirname } from "node:path/posix";
import { RalphError, visible } from "../error.ts";
import { FileError } from "../platform/file-error.ts";
import type { Files, System } from "../platform/system.ts";
import type { Refusal } from "./accept-source.ts";

/** Reads a file the user must provide; the error of an unusable one has the reason and the remedy for that file. */
export async function readSource(
  files: Pick<Files, "read">,
  { maxBytes, missing }: { maxBytes: number; missing: Refusal },
): Promise<Buffer> {
  requirePlainName(missing);
  const bytes = await readBounded(files, { maxBytes, missing });
  if (bytes) return bytes;
  const problem = { file: missing.file, message: "does not exist" };
  throw new RalphError(missing.reason, {
    message: `${missing.file} does not exist.`,
    remedy: missing.remedy,
    problems: [problem],
  });
}

/** A file anywhere on this machine, for readers that name it as the user did. */
export function machineFile({ files }: Pick<System, "files">, path: string): Pick<Files, "read"> {
  return { read: (_, options) => files(dirname(path)).read(basename(path), options) };
}

/** Refuses names that would steer a terminal or break a line wherever they are printed (T53, T55). */
export function requirePlainName({ file, reason }: Pick<Refusal, "file" | "reason">): void {
  if (!/\p{Cc}/u.test(file)) return;
  const message = "has control characters in its name";
  throw new RalphError(reason, {
    message: `${visible(file)} ${message}.`,
    remedy: "Give the file another name.",
    problems: [{ file, message }],
  });
}

async function readBounded(
  files: Pick<Files, "read">,
  { maxBytes, missing }: { maxBytes: number; missing: Refusal },
): Promise<Buffer | undefined> {
  try {
    return await files.read(missing.file, { maxBytes });
  } catch (cause) {
    if (!(cause instanceof FileError)) throw cause;
    const { message, remedy, path, fault } = cause;
    // In lists of problems, each one begins with the file's name.
    const said = message.startsWith(`${path} `) ? message.slice(path.length + 1) : message;
    const top = fault === "too-large" && { line: 1, column: 1 };
    const problems = [{ file: missing.file, ...top, message: said }];
    throw new RalphError(missing.reason, { message, remedy, problems, cause });
  }
}

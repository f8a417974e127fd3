import { basename, dirname } from "node:path/posix";
import { RalphError, visible } from "../error.ts";
import { FileError } from "../platform/file-error.ts";
import type { Files, System } from "../platform/system.ts";
import type { Refusal } from "./source-error.ts";

/**
 * The bytes of a file the user must provide. Missing, too large, a folder, a pipe or a link: an error with
 * the reason and the remedy of that file.
 */
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

/** A file anywhere on this machine, for readers that tell it by the name the user gave it. */
export function machineFile({ files }: Pick<System, "files">, path: string): Pick<Files, "read"> {
  return { read: (_, options) => files(dirname(path)).read(basename(path), options) };
}

/** A name that steers a terminal, or breaks the line it stands in, would do so wherever it is told (T53, T55). */
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
    // Where problems are listed, the name of the file stands before each of them.
    const said = message.startsWith(`${path} `) ? message.slice(path.length + 1) : message;
    const top = fault === "too-large" && { line: 1, column: 1 };
    const problems = [{ file: missing.file, ...top, message: said }];
    throw new RalphError(missing.reason, { message, remedy, problems, cause });
  }
}

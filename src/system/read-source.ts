import { RalphError } from "../error.ts";
import { FileError } from "./file-error.ts";
import type { Refusal } from "./source-error.ts";
import type { Files } from "./system.ts";

/**
 * The bytes of a file the user must provide. Missing, too large, a folder, a pipe or a link: an error with
 * the reason and the remedy of that file.
 */
export async function readSource(
  files: Pick<Files, "read">,
  { maxBytes, missing }: { maxBytes: number; missing: Refusal },
): Promise<Buffer> {
  const bytes = await readBounded(files, { maxBytes, missing });
  if (bytes) return bytes;
  const problem = { file: missing.file, message: "does not exist" };
  throw new RalphError(missing.reason, {
    message: `${missing.file} does not exist.`,
    remedy: missing.remedy,
    problems: [problem],
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

import { basename, dirname } from "node:path/posix";
import { RalphError } from "../../error.ts";
import { readPathKinds } from "../../platform/fs/path-kinds.ts";
import type { System } from "../../platform/system.ts";

/** A generated file. `path` is absolute; every file of its kind begins with `start`; `example` is a file name. */
type GeneratedFile = { path: string; text: string; start: string; example: string };

/** Writes a generated file. An existing file is only replaced when it is of the same kind. */
export async function replaceGenerated(
  { files }: Pick<System, "files">,
  { path, text, start, example }: GeneratedFile,
): Promise<void> {
  const folder = dirname(path);
  if (readPathKinds([folder]).folders.length === 0) {
    throw new RalphError("config", {
      message: `There is no folder ${folder}.`,
      remedy: `Create it with \`mkdir -p ${folder}\`, or name a file in another folder.`,
    });
  }
  const name = basename(path);
  const old = await files(folder).read(name);
  if (old?.toString().startsWith(start) === false) {
    throw new RalphError("config", {
      message: `${path} exists and is not such a file.`,
      remedy: `Name another file, such as ${example}.`,
    });
  }
  await files(folder).write(name, text);
}

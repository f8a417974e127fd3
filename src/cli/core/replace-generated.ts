import { basename, dirname } from "node:path/posix";
import { RalphError } from "../../error.ts";
import { readPathKinds } from "../../platform/fs/path-kinds.ts";
import type { System } from "../../platform/system.ts";

/** A text of ours for an absolute path. `start`: how each of its kind begins. `example`: a name for such a file. */
type GeneratedFile = { path: string; text: string; start: string; example: string };

/** Writes it over an older one of its kind, and over nothing else. */
export async function replaceGenerated(
  { files }: Pick<System, "files">,
  { path, text, start, example }: GeneratedFile,
): Promise<void> {
  const folder = dirname(path);
  if (readPathKinds([folder]).folders.length === 0) {
    throw new RalphError("config", {
      message: `There is no folder ${folder}.`,
      remedy: `Make it with \`mkdir -p ${folder}\`, or name a file elsewhere.`,
    });
  }
  const name = basename(path);
  const old = await files(folder).read(name);
  if (old?.toString().startsWith(start) === false) {
    throw new RalphError("config", {
      message: `${path} is there already and holds something else.`,
      remedy: `Name another file, such as ${example}.`,
    });
  }
  await files(folder).write(name, text);
}

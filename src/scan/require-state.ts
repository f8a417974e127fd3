import { basename, dirname } from "node:path/posix";
import { RalphError } from "../error.ts";
import { stateFolder } from "../journal/session-store.ts";
import { createTemporaryName } from "../platform/fs/temporary-file.ts";
import type { System } from "../platform/system.ts";

/** The state directory, once something could be written there; a RalphError where it cannot. */
export async function requireState(system: Pick<System, "files" | "env">): Promise<string> {
  const folder = stateFolder(system.env);
  const files = system.files(folder);
  const name = createTemporaryName();
  try {
    await system.files(dirname(folder)).makeFolder(basename(folder));
    await files.write(name, "");
    await files.remove(name);
    return folder;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    throw new RalphError("config", {
      message: `The state directory ${folder} cannot be written: ${reasonOf(error)}`,
      remedy:
        "Make it writable, or let RALPH_STATE_DIR name a folder that is, outside of the project.",
      cause: error,
    });
  }
}

/** The system's own words: our names of temporary files tell nobody anything. */
const reasonOf = ({ cause, message }: RalphError) =>
  cause instanceof Error ? cause.message : message;

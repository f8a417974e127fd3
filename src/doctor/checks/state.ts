import { basename, dirname } from "node:path/posix";
import { findProgram } from "../../agents/find-program.ts";
import { RalphError } from "../../error.ts";
import { stateFolder } from "../../journal/store.ts";
import { readPathKinds } from "../../system/path-kinds.ts";
import { createTemporaryName } from "../../system/temporary-file.ts";
import { type Check, failure, pass, warning } from "../check.ts";
import type { Scene } from "../scene.ts";

/** The state directory can be written, and lies where no agent writes. */
export const state: Check = {
  name: "state",
  needs: [],
  look: async (scene) => {
    const { system, root } = scene;
    const path = stateFolder(system.env);
    const trouble = await tryToWrite(scene, path);
    if (trouble !== undefined) {
      const remedy = "Let RALPH_STATE_DIR name a folder that can be written.";
      return failure(`${path} cannot be written: ${trouble}`, { path, remedy });
    }
    if (isInside(path, root)) {
      return warning(`${path} lies inside the project, where agents write.`, {
        path,
        remedy: "Let RALPH_STATE_DIR name a folder outside.",
      });
    }
    const hasFlock = (await findProgram(system, { file: "flock", root })) !== undefined;
    const locks = hasFlock ? "" : "; without `flock` a lock file stands in";
    return pass(`${path} can be written${locks}`, { path });
  },
};

/** Undefined when it can be done. */
async function tryToWrite({ system }: Scene, folder: string): Promise<string | undefined> {
  const files = system.files(folder);
  const name = createTemporaryName();
  try {
    await system.files(dirname(folder)).makeFolder(basename(folder));
    await files.write(name, "");
    await files.remove(name);
    return undefined;
  } catch (error) {
    if (error instanceof RalphError) return error.message;
    throw error;
  }
}

function isInside(path: string, root: string): boolean {
  const real = (folder: string) => readPathKinds([folder]).folders[0] ?? folder;
  return `${real(path)}/`.startsWith(`${real(root)}/`);
}

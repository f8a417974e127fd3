import { findProgram } from "../../agents/call/find-program.ts";
import { readPathKinds } from "../../platform/fs/path-kinds.ts";
import { type Check, pass, warningResult } from "../check.ts";

/** The state directory can be written, and lies where no agent writes. */
export const state: Check = {
  name: "state",
  needs: [],
  run: async (context) => {
    const { system, root } = context;
    const path = await context.state();
    if (isInside(path, root)) {
      return warningResult(`${path} lies inside the project, where agents write.`, {
        path,
        remedy: "Let RALPH_STATE_DIR name a folder outside.",
      });
    }
    const hasFlock = (await findProgram(system, { file: "flock", root })) !== undefined;
    const locks = hasFlock ? "" : "; without `flock` a lock file stands in";
    return pass(`${path} can be written${locks}`, { path });
  },
};

function isInside(path: string, root: string): boolean {
  const real = (folder: string) => readPathKinds([folder]).folders[0] ?? folder;
  return `${real(path)}/`.startsWith(`${real(root)}/`);
}

import { findProgram } from "../../agents/call/find-program.ts";
import { readPathKinds } from "../../platform/fs/path-kinds.ts";
import { type Check, pass, warningResult } from "../check.ts";

/** Checks that the state directory is writable and outside of the project. */
export const state: Check = {
  name: "state",
  needs: [],
  run: async (context) => {
    const { system, root } = context;
    const path = await context.state();
    if (isInside(path, root)) {
      return warningResult(`${path} is inside the project, where agents write.`, {
        path,
        remedy: "Set RALPH_STATE_DIR to a folder outside of the project.",
      });
    }
    const hasFlock = (await findProgram(system, { file: "flock", root })) !== undefined;
    const locks = hasFlock ? "" : "; `flock` is missing, so a lock file replaces it";
    return pass(`${path} is writable${locks}`, { path });
  },
};

function isInside(path: string, root: string): boolean {
  const real = (folder: string) => readPathKinds([folder]).folders[0] ?? folder;
  return `${real(path)}/`.startsWith(`${real(root)}/`);
}

import type { GitHub } from "../api/create-github.ts";
import type { Trust } from "../verify/trusted-start.ts";
import { countBranches } from "./count-branches.ts";

/**
 * A publisher's own answer to whether a session may have worked on `name` for a task list that names `wanted`: it counts
 * the names in use again, and nothing of the session is believed.
 */
export const acceptCounted =
  (github: GitHub): NonNullable<Trust["acceptsBranch"]> =>
  async (wanted, name) => {
    const { used, free } = await countBranches(github, wanted);
    return name === free || used.some((branch) => branch.name === name);
  };

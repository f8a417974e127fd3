import { requireBase } from "../../session/open/require-branches.ts";
import { type Check, pass } from "../check.ts";

/** Checks that `git.base_branch` exists; otherwise no run starts. */
export const baseBranchCheck: Check = {
  name: "base-branch",
  needs: ["config", "repo"],
  run: async ({ system, root, config }) => {
    const { git } = (await config()).config;
    await requireBase(system, { root, git });
    return pass(`${git.base_branch} exists`);
  },
};

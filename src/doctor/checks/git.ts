import { readVersion } from "../../agents/agent-version.ts";
import { findProgram } from "../../agents/find-program.ts";
import { readGitVersion } from "../../git/git-version.ts";
import { type Check, pass } from "../check.ts";

/** git is there, and new enough. */
export const git: Check = {
  name: "git",
  needs: [],
  fixes: [{ install: "git" }],
  look: async ({ system, root }) => {
    await readGitVersion(system);
    const path = await findProgram(system, { file: "git", root });
    const version = await readVersion(system, ["git", "--version"], root);
    return pass(`git ${version}`, { ...(path && { path }), ...(version && { version }) });
  },
};

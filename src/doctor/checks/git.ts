import { readGitVersion } from "../../git/git-version.ts";
import { type Check, pass } from "../check.ts";
import { findProgram, readVersion } from "../find-program.ts";

/** git is there, and new enough. */
export const git: Check = {
  name: "git",
  needs: [],
  fixes: [{ install: "git" }],
  look: async ({ system, root }) => {
    await readGitVersion(system);
    const path = await findProgram(system, { file: "git", root });
    const version = await readVersion(system, { file: "git", root });
    return pass(`git ${version}`, { ...(path && { path }), ...(version && { version }) });
  },
};

import { readVersion } from "../../agents/call/agent-version.ts";
import { findProgram } from "../../agents/call/find-program.ts";
import { type Check, failure, pass } from "../check.ts";

const fixes = [{ install: "git" }];

/** Checks that git is installed and new enough. */
export const git: Check = {
  name: "git",
  needs: [],
  fixes,
  run: async (context) => {
    const { system, root } = context;
    const path = await findProgram(system, { file: "git", root });
    if (path === undefined) {
      return failure("`git` is not on PATH.", { remedy: "Install git 2.34 or newer.", fixes });
    }
    await context.git();
    const version = await readVersion(system, ["git", "--version"], root);
    return pass(["git", version].filter(Boolean).join(" "), { path, ...(version && { version }) });
  },
};

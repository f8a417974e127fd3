import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ActionProject } from "./project.ts";

/** A program of this name comes first on PATH. */
export const program =
  (name: string, script: string) =>
  ({ project }: ActionProject) => {
    const file = join(project.folder, "bin", name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  };

/** Commits what `write` has changed, here and on GitHub. */
export const committed = (write: (github: ActionProject) => void) => (github: ActionProject) => {
  const { project, remoteGit } = github;
  write(github);
  project.git("add", "-A");
  project.git("commit", "-qm", "change", "--allow-empty");
  remoteGit("fetch", "-q", project.root, "+main:main");
};

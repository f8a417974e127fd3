import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readDist, renderChecksums } from "../../../.github/scripts/release/dist.ts";
import { publishRelease, type Release } from "../../../.github/scripts/release/publish-release.ts";
import { requireVersion } from "../../../.github/scripts/release/version.ts";
import { createGitProject, type GitProject } from "./git.ts";

/** A repository like ours, a bare one it is pushed to, and a build. */
export interface ReleaseProject extends GitProject {
  /** Git in the repository the tags are pushed to. */
  remote: (...args: string[]) => string;
  publish: (version: string, options?: { token?: string }) => Release;
  /** Commits another version. */
  setVersion: (number: string) => void;
  /** Changes the build after its checksums were told. */
  writeDist: (name: string, text: string) => void;
  /** Has the repository refuse a push to this reference. */
  refuse: (reference: string) => void;
  /** Another checkout, with nothing older than the tagged commit in it. */
  clone: () => Promise<Pick<ReleaseProject, "publish" | typeof Symbol.asyncDispose>>;
}

const workflows = [".github/workflows/ralph.yml", ".github/workflows/autopilot.yml"];

export async function createReleaseProject(number: string): Promise<ReleaseProject> {
  const project = await createGitProject({ ".gitignore": "dist/\n" });
  const dist = join(project.folder, "build/dist");
  const bare = join(project.folder, "remote.git");
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, "action.js"), "export {};\n");
  writeFileSync(join(dist, "cli.js"), "#!/bin/sh\n");
  const told = renderChecksums(readDist(dist));
  project.write("README.md", readFileSync("README.md"));
  for (const path of workflows) project.write(path, readFileSync(path));
  project.gitIn(project.folder, "init", "-q", "--bare", "-b", "main", bare);
  project.git("remote", "add", "origin", bare);
  const publishIn = (root: string, version: string, { token = "secret" } = {}) => {
    const wanted = { version: requireVersion(version), repository: "ada/ralph" };
    return publishRelease({ root, ...wanted, dist, told, token });
  };
  const setVersion = (next: string) => {
    for (const file of ["package.json", "package-lock.json"]) {
      project.write(file, JSON.stringify({ version: next }));
    }
    project.write(
      "CHANGELOG.md",
      `# Changelog\n\n## Unreleased\n\n## ${next}\n\n- What ${next} brings.\n`,
    );
    project.git("add", "-A");
    project.git("commit", "-qm", next);
    project.git("push", "-q", "origin", "main");
  };
  setVersion(number);
  return {
    ...project,
    setVersion,
    remote: (...args) => project.gitIn(bare, ...args),
    publish: (version, options) => publishIn(project.root, version, options),
    writeDist: (name, text) => writeFileSync(join(dist, name), text),
    refuse: (reference) => {
      const hook = join(bare, "hooks/update");
      writeFileSync(
        hook,
        `#!/bin/sh\n[ "$1" != ${reference} ] || { echo "\${1##*/} is refused" >&2; exit 1; }\n`,
      );
      chmodSync(hook, 0o755);
    },
    clone: async () => {
      const root = join(project.folder, "shallow");
      project.gitIn(project.folder, "clone", "-q", "--depth=1", `file://${bare}`, root);
      return {
        publish: (version, options) => publishIn(root, version, options),
        async [Symbol.asyncDispose]() {},
      };
    },
  };
}

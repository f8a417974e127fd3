import {
  type RemoteAddress,
  remoteEnvironment,
  remoteFailed,
} from "../../src/github/api/remote.ts";
import type { System } from "../../src/platform/system.ts";

export interface CloneRequest {
  remote: RemoteAddress;
  folder: string;
  /** An empty folder without a file of passwords. */
  home: string;
}

/**
 * Clones the default branch with its history and without any file: nothing of it is checked out, so no filter, hook or link
 * of the repository comes to life. The token travels by the environment and is kept nowhere.
 */
export async function cloneFresh(system: System, wanted: CloneRequest): Promise<void> {
  const { remote, folder, home } = wanted;
  const answer = await system.ask({
    file: "git",
    args: [
      "clone",
      "--quiet",
      "--no-checkout",
      "--single-branch",
      "--no-tags",
      "--template=",
      "--",
      remote.url,
      folder,
    ],
    cwd: home,
    env: {
      PATH: system.env.PATH,
      LC_ALL: "C",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      ...remoteEnvironment(remote, { env: system.env, home }),
    },
  });
  if (answer.exitCode !== 0) throw remoteFailed(remote.url, answer);
}

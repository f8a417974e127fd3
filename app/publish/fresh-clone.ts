import {
  type RemoteAddress,
  remoteEnvironment,
  remoteFailed,
} from "../../src/github/api/remote.ts";
import type { System } from "../../src/platform/system.ts";

export interface CloneRequest {
  remote: RemoteAddress;
  folder: string;
  /** An empty home folder, without stored credentials. */
  home: string;
}

/**
 * Clones the default branch with its history but without a checkout, so that no filter, hook or link of the repository
 * takes effect. The token is passed in the environment and stored nowhere.
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

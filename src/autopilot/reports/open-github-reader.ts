import { RalphError } from "../../error.ts";
import { readUserConfig } from "../../git/open/open-repository.ts";
import { createGitHub, type GitHub } from "../../github/api/create-github.ts";
import { requireLocalToken } from "../../github/api/local-token.ts";
import { type ParsedRemote, parseRemoteUrl } from "../../github/api/remote-url.ts";
import type { System } from "../../platform/system.ts";
import { createGitHubReader, type GitHubReader } from "./github-reader.ts";

type Asker = Pick<System, "ask" | "env" | "files" | "clock">;
type Named = { root: string; remote: string };

/**
 * What a remote's repository says, asked with the token `ralph publish` takes (exit 1 without one). Nothing is asked
 * before it is needed; a remote that is not on GitHub has no pull requests.
 */
export function openGitHubReader(system: Asker, named: Named): GitHubReader {
  const open = async (): Promise<GitHubReader | undefined> => {
    const hosted = await readHosted(system, named);
    return hosted && createGitHubReader(await signIn(system, named, hosted));
  };
  return {
    pulls: async () => (await open())?.pulls() ?? [],
    issue: async (number) => {
      const reader = await open();
      if (reader) return reader.issue(number);
      throw new RalphError("config", {
        message: `Issue ${number} cannot be read: the remote ${named.remote} names no repository on GitHub.`,
        remedy: `Set one: \`git remote add ${named.remote} https://github.com/OWNER/NAME.git\`, or name another by \`git.remote\`.`,
      });
    },
  };
}

type Hosted = NonNullable<ParsedRemote["hosted"]>;

/** The repository `ralph publish` opens its pull requests in. */
async function readHosted(system: Asker, { root, remote }: Named): Promise<Hosted | undefined> {
  const config = await readUserConfig(system, root);
  const url = config.get(`remote.${remote}.pushurl`) ?? config.get(`remote.${remote}.url`);
  return url === undefined ? undefined : parseRemoteUrl(url)?.hosted;
}

async function signIn(system: Asker, { root }: Named, hosted: Hosted): Promise<GitHub> {
  const token = await requireLocalToken(system, { host: hosted.host, directory: root });
  return createGitHub({ ...hosted, token });
}

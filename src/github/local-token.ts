import { parseArgsStringToArgv } from "string-argv";
import { RalphError } from "../error.ts";
import type { System } from "../system/system.ts";

type Asked = { host: string; directory: string };

/** GITHUB_TOKEN, GH_TOKEN, else what `gh auth token` says; RALPH_GH_CMD is started in its place (design 6). */
export async function requireLocalToken(
  system: Pick<System, "ask" | "env">,
  asked: Asked,
): Promise<string> {
  const { GITHUB_TOKEN, GH_TOKEN } = system.env;
  const token = GITHUB_TOKEN?.trim() || GH_TOKEN?.trim() || (await askGh(system, asked));
  if (token) return token;
  throw new RalphError("config", {
    message: `There is no token for ${asked.host}: GITHUB_TOKEN and GH_TOKEN are not set, and \`gh\` has none.`,
    remedy: `Log in with \`gh auth login --hostname ${asked.host}\`, or set GITHUB_TOKEN.`,
  });
}

async function askGh(
  { ask, env }: Pick<System, "ask" | "env">,
  { host, directory }: Asked,
): Promise<string | undefined> {
  const [file = "gh", ...words] = parseArgsStringToArgv(env.RALPH_GH_CMD ?? "");
  const args = [...words, "auth", "token", "--hostname", host];
  const { exitCode, stdout } = await ask({ file, args, cwd: directory, env, maxBytes: 65_536 });
  const token = stdout.toString().trim();
  return exitCode === 0 && /^\S+$/.test(token) ? token : undefined;
}

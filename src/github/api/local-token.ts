import { parseArgsStringToArgv } from "string-argv";
import { RalphError } from "../../error.ts";
import type { Environment, System } from "../../platform/system.ts";
import { isLoopback } from "./remote-url.ts";

type TokenQuery = { host: string; directory: string };

/**
 * The token for a server: from the variables `gh` reads for it, else from `gh auth token`; RALPH_GH_CMD replaces `gh`
 * (design 6). A token for github.com is sent to no other server.
 */
export async function requireLocalToken(
  system: Pick<System, "ask" | "env">,
  query: TokenQuery,
): Promise<string> {
  const names = variablesFor(query.host, system.env);
  const token = names.map((name) => system.env[name]?.trim()).find(Boolean);
  const found = token ?? (await askGh(system, query));
  if (found) return found;
  throw new RalphError("config", {
    message: `There is no token for ${query.host}: ${names.join(" and ")} are not set, and \`gh\` has none.`,
    remedy: `Log in with \`gh auth login --hostname ${query.host}\`, or set ${names[0]}.`,
  });
}

/** In a job GITHUB_SERVER_URL names the server its token belongs to. */
function variablesFor(host: string, { GITHUB_SERVER_URL: server = "" }: Environment) {
  const isHub = host === "github.com" || host.endsWith(".ghe.com") || isLoopback(host);
  const isOfJob = URL.canParse(server) && new URL(server).host === host;
  return isHub || isOfJob
    ? ["GITHUB_TOKEN", "GH_TOKEN"]
    : ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];
}

async function askGh(
  { ask, env }: Pick<System, "ask" | "env">,
  { host, directory }: TokenQuery,
): Promise<string | undefined> {
  const [file = "gh", ...words] = parseArgsStringToArgv(env.RALPH_GH_CMD ?? "");
  const args = [...words, "auth", "token", "--hostname", host];
  const { exitCode, stdout } = await ask({ file, args, cwd: directory, env, maxBytes: 65_536 });
  const token = stdout.toString().trim();
  return exitCode === 0 && /^\S+$/.test(token) ? token : undefined;
}

import { calledAgents } from "../../agents/call/called-agents.ts";
import type { Driver } from "../../agents/drivers/driver.ts";
import { credentialVariables } from "../../agents/drivers/drivers.ts";
import { readPathKinds } from "../../platform/fs/path-kinds.ts";
import type { Environment } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { type Check, type CheckResult, combineResults, pass, warningResult } from "../check.ts";

/** Shows the credentials of the agent programs by kind and name. Only `agent-call` tests them. */
export const credentials: Check = {
  name: "credentials",
  needs: ["config"],
  run: async (context) => {
    const { config } = await context.config();
    const { env } = context.system;
    const called = calledAgents(config, env).map(({ driver }) => driver);
    const { mode } = config.sandbox;
    return combineResults(
      [...new Set(called)].map((driver) => credentialOf(driver, { env, mode })),
    );
  },
};

/** Kinds of credentials by variable name, in order of precedence. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/_USE_BEDROCK$/, "Amazon Bedrock"],
  [/_USE_VERTEX(?:AI)?$/, "Google Vertex AI"],
  [/_AUTH_TOKEN$/, "gateway token"],
  [/_API_KEY$/, "API key"],
  [/_OAUTH_TOKEN$/, "subscription"],
];

function credentialOf(
  driver: Driver,
  { env, mode }: { env: Environment; mode: Config["sandbox"]["mode"] },
): CheckResult {
  const { name } = driver;
  if (driver.credentials.length === 0)
    return pass(`${name}: no credential known to ralph; it gets the variables in agents.env`);
  const seen = kinds.flatMap(([pattern, kind]) => {
    const variable = credentialNames(driver, env).find((each) => pattern.test(each));
    return variable === undefined ? [] : [{ kind, variable }];
  });
  const [first, ...rest] = seen;
  if (first === undefined) return loginOf(driver, env);
  const message = `${name}: ${first.kind} (${first.variable})`;
  const hidden = mode === "off" ? undefined : hiddenFolder(first.variable, env);
  if (hidden) {
    const { folder, remedy } = hidden;
    return warningResult(`${message}, but the sandbox hides ${folder} from agents.`, { remedy });
  }
  if (rest.length === 0) return pass(message);
  const others = rest.map(({ variable }) => variable);
  return warningResult(`${message} is used, although ${others.join(", ")} is set too.`, {
    remedy: `Unset the credential that should not be billed: ${first.variable} or ${others.join(", ")}.`,
  });
}

function loginOf({ name, home, login, credentials: all }: Driver, env: Environment): CheckResult {
  const named = login?.variable && env[login.variable];
  const file = login && home && `${named || `${env.HOME ?? ""}/${home}`}/${login.file}`;
  if (file && readPathKinds([file]).files.length > 0) {
    return pass(`${name}: its own login (${named ? file : `~/${home}/${login.file}`})`);
  }
  if (process.platform === "darwin")
    return pass(`${name}: its own login, if it is in the keychain`);
  return warningResult(`${name}: no credential in the environment, and no login.`, {
    remedy: `Set ${keyOf(all)} in the environment, or start \`${name}\` once and log in.`,
  });
}

const keyOf = (all: Driver["credentials"]) =>
  all.flatMap(({ names }) => names).find((name) => name.endsWith("_API_KEY")) ?? "a key";

/** Agents cannot use credentials in hidden folders. */
function hiddenFolder(variable: string, env: Environment) {
  const inKeys = Boolean(env.AWS_ACCESS_KEY_ID || env.AWS_BEARER_TOKEN_BEDROCK);
  if (variable.endsWith("_USE_BEDROCK") && !inKeys) {
    const remedy = "Set AWS_ACCESS_KEY_ID and its companions, or AWS_BEARER_TOKEN_BEDROCK.";
    return { folder: "~/.aws", remedy };
  }
  const file = env.GOOGLE_APPLICATION_CREDENTIALS;
  if (variable.includes("_USE_VERTEX") && !file) {
    const remedy = "Set GOOGLE_APPLICATION_CREDENTIALS to the path of the file.";
    return { folder: "~/.config/gcloud", remedy };
  }
  return undefined;
}

/** The set variables with a driver's credentials. */
export const credentialNames = (driver: Driver, env: Environment): string[] =>
  credentialVariables(driver, env).filter((name) => Boolean(env[name]));

/** The variables with a token, in order of precedence (design 6). */
const variables = ["GITHUB_TOKEN", "GH_TOKEN"] as const;

/** Kinds of tokens by prefix, with their rights. */
const tokenKinds: readonly (readonly [string, string])[] = [
  ["github_pat_", "a fine-grained personal token: only its selected repositories and rights"],
  ["ghp_", "a classic personal token: its scopes, in every repository of its owner"],
  ["ghs_", "an installation token of Actions or an App: the rights of this job, for a short time"],
  ["gho_", "an OAuth token such as that of `gh auth login`: its scopes, in every repository"],
  ["ghu_", "a user token of a GitHub App: the rights of that App and that user"],
];

/** Shows the kind of the GitHub token, and that no agent receives it. */
export const githubToken: Check = {
  name: "github-token",
  needs: [],
  run: async ({ system: { env } }) => {
    const found = variables.flatMap((name) => {
      const token = env[name]?.trim();
      return token ? [`${name} is ${kindOf(token)}`] : [];
    });
    if (found.length === 0) return pass("not set; a run needs no token");
    const scrubbed =
      "  agents and gates never receive it; `exposure` shows the secrets they can read";
    return pass([found.join("\n  "), scrubbed].join("\n"));
  },
};

const kindOf = (token: string) =>
  tokenKinds.find(([start]) => token.startsWith(start))?.[1] ?? "a token of an unknown kind";

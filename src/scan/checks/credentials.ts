import { calledAgents } from "../../agents/call/called-agents.ts";
import type { Driver } from "../../agents/drivers/driver.ts";
import { readPathKinds } from "../../platform/fs/path-kinds.ts";
import type { Environment } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { type Check, type CheckResult, pass, together, warningResult } from "../check.ts";
import { credentialNames } from "../credential-names.ts";

/** With what the agent programs pay, by kind and name; whether it is accepted tells only `agent-call`. */
export const credentials: Check = {
  name: "credentials",
  needs: ["config"],
  look: async (scene) => {
    const { config } = await scene.config();
    const { env } = scene.system;
    const called = calledAgents(config, env).map(({ driver }) => driver);
    const { mode } = config.sandbox;
    return together([...new Set(called)].map((driver) => credentialOf(driver, { env, mode })));
  },
};

/** By the variable that shows it, the one that wins first. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/_USE_BEDROCK$/, "Amazon Bedrock"],
  [/_USE_VERTEX(?:AI)?$/, "Google Vertex AI"],
  [/_AUTH_TOKEN$/, "gateway token"],
  [/_API_KEY$/, "API key"],
  [/_OAUTH_TOKEN$/, "subscription"],
];

type Place = { env: Environment; mode: Config["sandbox"]["mode"] };

function credentialOf(driver: Driver, { env, mode }: Place): CheckResult {
  const { name } = driver;
  if (driver.credentials.length === 0) return pass(`${name}: none of ours; what agents.env names`);
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
  return warningResult(`${message} is used, although there is ${others.join(", ")} too.`, {
    remedy: `Unset what is not meant to be billed: ${first.variable} or ${others.join(", ")}.`,
  });
}

function loginOf({ name, home, login, credentials: all }: Driver, env: Environment): CheckResult {
  const named = login?.variable && env[login.variable];
  const file = login && home && `${named || `${env.HOME ?? ""}/${home}`}/${login.file}`;
  if (file && readPathKinds([file]).files.length > 0) {
    return pass(`${name}: its own login (${named ? file : `~/${home}/${login.file}`})`);
  }
  if (process.platform === "darwin") return pass(`${name}: its own login, if the keychain has one`);
  return warningResult(`${name}: no credential in the environment, and no login of its own.`, {
    remedy: `Set ${keyOf(all)} in the environment, or start \`${name}\` once and log in.`,
  });
}

const keyOf = (all: Driver["credentials"]) =>
  all.flatMap(({ names }) => names).find((name) => name.endsWith("_API_KEY")) ?? "a key";

/** Credentials in folders that are hidden from agents are of no use to them. */
function hiddenFolder(variable: string, env: Environment) {
  const inKeys = Boolean(env.AWS_ACCESS_KEY_ID || env.AWS_BEARER_TOKEN_BEDROCK);
  if (variable.endsWith("_USE_BEDROCK") && !inKeys) {
    const remedy = "Set AWS_ACCESS_KEY_ID and its companions, or AWS_BEARER_TOKEN_BEDROCK.";
    return { folder: "~/.aws", remedy };
  }
  const file = env.GOOGLE_APPLICATION_CREDENTIALS;
  if (variable.includes("_USE_VERTEX") && (!file || file.includes("/.config/gcloud/"))) {
    const remedy = "Let GOOGLE_APPLICATION_CREDENTIALS name a file elsewhere.";
    return { folder: "~/.config/gcloud", remedy };
  }
  return undefined;
}

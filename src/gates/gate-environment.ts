import type { Environment } from "../platform/system.ts";

const passedOn = ["PATH", "HOME", "LANG", "TERM", "TZ", "CI", "USER", "SHELL"];

/** How this machine reaches its network: facts of a machine, which no configuration has to name. */
const networkVariables = [
  "HTTPS_PROXY",
  "https_proxy",
  "HTTP_PROXY",
  "http_proxy",
  "NO_PROXY",
  "no_proxy",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "REQUESTS_CA_BUNDLE",
  "PIP_CERT",
  "PIP_INDEX_URL",
  "PIP_EXTRA_INDEX_URL",
  "UV_INDEX_URL",
  "UV_DEFAULT_INDEX",
  "NPM_CONFIG_REGISTRY",
  "GOPROXY",
];

/** The runner's channels and ralph's tokens: no configuration passes them to code an agent wrote (T15, T22). */
const neverPassed =
  /^(?:ACTIONS_|RALPH_|INPUT_|GH_TOKEN$|RUNNER_TRACKING_ID$|GITHUB_(?:TOKEN|ENV|OUTPUT|PATH|STATE|STEP_SUMMARY)$)/i;

/**
 * Python takes compiled code for current whose source has the same second and size: that of another tree would run in a
 * checkout that the proof uses for one tree after the other.
 */
const ours = { PYTHONDONTWRITEBYTECODE: "1" };

/** The environment of a gate, criterion or setup step: a short allow-list, locale, proxies without passwords, and `gates.env`. */
export function gateEnvironment(env: Environment, named: readonly string[]): Environment {
  const locale = Object.keys(env).filter((name) => name.startsWith("LC_"));
  const network = networkVariables.filter((name) => !env[name]?.includes("@"));
  const names = [
    ...passedOn,
    ...locale,
    ...network,
    ...named.filter((name) => !neverPassed.test(name)),
  ];
  const given = names.filter((name) => env[name] !== undefined).map((name) => [name, env[name]]);
  return { ...ours, ...Object.fromEntries(given) };
}

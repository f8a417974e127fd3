import type { Environment } from "../../platform/system.ts";

const names = [
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

/**
 * Names of the variables through which this machine reaches its network: setup steps see no other environment than
 * what the configuration names, and behind a proxy they would fail. One that holds a password is not named.
 */
export function networkVariables(env: Environment): string[] {
  return names.filter((name) => env[name] && !env[name].includes("@"));
}

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
 * Names of the set variables for proxies and registries: setup steps only see the variables in the configuration and
 * would fail behind a proxy. Variables with a password are left out.
 */
export function networkVariables(env: Environment): string[] {
  return names.filter((name) => env[name] && !env[name].includes("@"));
}

import type { Environment } from "../system.ts";
import { exemptHosts, namedProxy, readProxy } from "./outer-proxy.ts";

/** Programs on this machine are reached directly. */
const own = ["localhost", "127.0.0.1", "::1"];

/** Lets `fetch` of this process take the proxy that the environment names. Node does so by itself only with a variable of its own. */
export function useMachineProxy(env: Environment): void {
  const proxy = namedProxy(env, "https");
  if (!proxy || !readProxy(proxy)) return;
  const https_proxy = proxy.includes("://") ? proxy : `http://${proxy}`;
  const no_proxy = [exemptHosts(env), ...own].join(",");
  // Loaded only here: it takes long, and most machines have no proxy. Node before 24.14 lacks the function.
  const { setGlobalProxyFromEnv } = process.getBuiltinModule("node:http");
  setGlobalProxyFromEnv?.({ https_proxy, no_proxy });
}

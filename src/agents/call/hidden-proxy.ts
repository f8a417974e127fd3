import type { Environment } from "../../platform/system.ts";

const proxy = /^(?:https?|all)_proxy$/i;
const unreachable = /connect|network|fetch failed|ENOTFOUND|EAI_AGAIN/i;

/**
 * A hint for a program that cannot connect: a proxy is set that agents do not see, so the program works by hand. Proxy
 * URLs may hold a password, so only the user may pass one on.
 */
export function proxyHint(said: string, env: { given: Environment; names: readonly string[] }) {
  const isHidden = (name: string) => proxy.test(name) && !env.names.includes(name);
  const hidden = Object.keys(env.given).find((name) => isHidden(name) && env.given[name]);
  if (hidden === undefined || !unreachable.test(said)) return "";
  return `; ${hidden} is set, but agents see it only when \`agents.env\` in .ralph/ralph.yml names it`;
}

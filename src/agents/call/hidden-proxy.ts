import type { Environment } from "../../platform/system.ts";

const proxy = /^(?:https?|all)_proxy$/i;
const unreachable = /connect|network|fetch failed|ENOTFOUND|EAI_AGAIN/i;

/**
 * What to add to the words of a program that reaches nobody: a proxy is set which it is not shown, so by hand it
 * would work. Proxies may carry a password; only the user may hand one on.
 */
export function proxyHint(said: string, env: { given: Environment; names: readonly string[] }) {
  const isHidden = (name: string) => proxy.test(name) && !env.names.includes(name);
  const hidden = Object.keys(env.given).find((name) => isHidden(name) && env.given[name]);
  if (hidden === undefined || !unreachable.test(said)) return "";
  return `; ${hidden} is set, but agents see it only when \`agents.env\` in .ralph/ralph.yml names it`;
}

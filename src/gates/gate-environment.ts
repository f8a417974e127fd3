import type { Environment } from "../platform/system.ts";

const passedOn = ["PATH", "HOME", "LANG", "TERM", "TZ", "CI", "USER", "SHELL"];

/** The runner's channels and ralph's tokens: no configuration passes them to code an agent wrote (T15, T22). */
const neverPassed =
  /^(?:ACTIONS_|RALPH_|INPUT_|GH_TOKEN$|RUNNER_TRACKING_ID$|GITHUB_(?:TOKEN|ENV|OUTPUT|PATH|STATE|STEP_SUMMARY)$)/i;

/**
 * The complete environment of a gate, criterion or setup step: a short allow-list, the locale, and the variables named
 * by `gates.env`.
 */
export function gateEnvironment(env: Environment, named: readonly string[]): Environment {
  const locale = Object.keys(env).filter((name) => name.startsWith("LC_"));
  const names = [...passedOn, ...locale, ...named.filter((name) => !neverPassed.test(name))];
  return Object.fromEntries(
    names.filter((name) => env[name] !== undefined).map((name) => [name, env[name]]),
  );
}

import { createRedactor } from "../platform/secrets/redact.ts";
import { secretValues } from "../platform/secrets/secret-values.ts";
import type { Environment } from "../platform/system.ts";

const inAddress = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"'<>]{1,400}@/gi;
const inHeader =
  /\b(authorization["']?\s{0,9}[:=]\s{0,9}(?:(?:basic|bearer|token)\s{1,9})?|bearer\s{1,9})[^\s"',;]{6,}/gi;
const secretWord = "[\\w-]{0,60}(?:token|secret|passw(?:or)?d|api[_-]?key)[\\w-]{0,20}";
const value = `("[^"]*"|'[^']*'|[^\\s"',;}]+)`;
/** `--token x`, `API_KEY=x`, `"password": "x"`: values named as a secret. */
const named = new RegExp(
  `((?<![\\w-])--${secretWord}\\s+|\\b${secretWord}["']?\\s{0,9}[:=]\\s{0,9})${value}`,
  "gi",
);

/** Makes a text safe to publish: removes secrets, tokens and credentials in URLs, and names the user's folders. */
export function createScrubber(
  env: Environment,
  places: { root: string; state: string },
): (text: string) => string {
  const redact = createRedactor(secretValues(env));
  const folders = [
    [places.root, "<project>"],
    [places.state, "<state>"],
    ...(env.HOME ? [[env.HOME, "~"]] : []),
  ] as const;
  return (text) =>
    folders.reduce(
      (shown, [path = "", name = ""]) => (path.length > 1 ? shown.replaceAll(path, name) : shown),
      redact(text).replace(inAddress, "$1***@").replace(inHeader, "$1***").replace(named, "$1***"),
    );
}

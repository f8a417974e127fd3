import type { Environment } from "../system.ts";

const anywhere = /PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKENS?(_|$)/i;
const asWord = /(^|_)((API)?KEYS?|PWD|PASS|PAT|CREDENTIALS?|OAUTH)(_|$)/i;
/** Variables named like a secret that hold a path or a public address. */
const placeName = /_(FILE|PATH|DIR|SOCK|URL|URI|HOST|NAME|TYPE)$|^(OLD)?PWD$/i;

/** Values of the variables whose names look secret (`GITHUB_TOKEN`, `NPM_AUTH_KEY`), to be redacted. */
export function secretValues(env: Environment): string[] {
  return Object.entries(env)
    .filter(([name]) => looksSecret(name))
    .map(([, value]) => value?.trim() ?? "")
    .filter((value) => value !== "");
}

function looksSecret(name: string): boolean {
  return (anywhere.test(name) || asWord.test(name)) && !placeName.test(name);
}

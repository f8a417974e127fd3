import type { Environment } from "../system.ts";

const anywhere = /PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKENS?(_|$)/i;
const asWord = /(^|_)((API)?KEYS?|PWD|PASS|PAT|CREDENTIALS?|OAUTH)(_|$)/i;
/** Variables named like a secret that hold a path or a public address. */
const placeName = /_(FILE|PATH|DIR|SOCK|URL|URI|HOST|NAME|TYPE)$|^(OLD)?PWD$/i;

/** Values of the variables whose names look secret (`GITHUB_TOKEN`, `NPM_AUTH_KEY`), to be redacted. */
export const secretValues = (env: Environment): string[] =>
  Object.entries(env)
    .filter(([name]) => looksSecret(name))
    .map(([, value]) => value?.trim() ?? "")
    .filter((value) => value !== "");

const looksSecret = (name: string): boolean =>
  (anywhere.test(name) || asWord.test(name)) && !placeName.test(name);

/** Shorter values would match ordinary text everywhere. */
const shortestSecret = 6;

/**
 * Every form in which a secret may appear in a text (T19): unchanged, each of its lines, base64 at all three offsets, hex,
 * percent-encoded, inside a JSON string, and all of these reversed. Longest first. Pure.
 */
export function renderSecretForms(secrets: readonly string[]): string[] {
  const values = secrets.filter((secret) => secret.length >= shortestSecret);
  const forms = values.flatMap(withLines).flatMap(renderForms);
  const both = forms.flatMap((form) => [form, [...form].reverse().join("")]);
  return [...new Set(both)]
    .filter((form) => form.length >= shortestSecret)
    .sort((one, other) => other.length - one.length);
}

/** A key of many lines may be printed line by line, behind line numbers or quote marks. */
function withLines(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  return [secret, ...lines.filter((line) => line.length >= 16)];
}

function renderForms(value: string): string[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString("hex");
  const base64 = [0, 1, 2].map((offset) => renderBase64(bytes, offset));
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    ...[hex, hex.toUpperCase()].flatMap((digits) => [digits, digits.replace(/../g, "%$&")]),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/** The base64 characters that depend only on these bytes, after `offset` (mod 3) other bytes and before more. */
function renderBase64(bytes: Buffer, offset: number): string {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
  const first = Math.ceil((offset * 8) / 6);
  const end = Math.floor((padded.length * 8) / 6);
  return padded.toString("base64").slice(first, end);
}

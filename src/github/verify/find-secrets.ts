import { renderSecretForms } from "../../platform/secrets/secret-values.ts";

/** Not a variable or a word of examples in place of the password, and no host of examples. */
const webAddress =
  /(?<![A-Za-z0-9])https?:\/\/[\w.-]{1,64}:(?!(?:x-oauth-basic|\w*(?:pass|token|secret|example|changeme|key|user)\w*)@)(?=[^@]{0,128}[0-9])(?=[^@]{0,128}[A-Za-z])[^\s:@/${}<>"'`*]{12,128}@(?!localhost|127\.|0\.|\[|[\w.-]{0,100}\bexample\b|proxy\b)[\w-]{1,60}\.[\w.-]{2,140}/i;

/** Not the passwords of examples, of local services in tests, or a variable in place of one. */
const databaseAddress =
  /(?<![A-Za-z0-9])(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql):\/\/[\w.-]{0,64}:(?!(?:password|passwd|postgres|root|secret|example|changeme|test|guest|admin|user|mysql|x+|\*+)@)[^\s:@/${}<>"'`]{8,128}@(?!localhost|127\.|(?:db|database|postgres|mysql|redis|mongo|host)[:/])[\w.-]{1,200}/i;

/** Tokens known by their form. Each pattern is linear; its minimum length excludes ordinary words. */
const shapes: readonly [name: string, shape: RegExp][] = [
  ["a GitHub token", /(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_)[A-Za-z0-9_.-]{30}/],
  ["an Anthropic key", /(?<![A-Za-z0-9])sk-ant-[A-Za-z0-9_-]{20}/],
  [
    "an OpenAI key",
    /(?<![A-Za-z0-9])sk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20}|[A-Za-z0-9]{40})/,
  ],
  ["an OpenRouter key", /(?<![A-Za-z0-9])sk-or-v1-[0-9a-f]{40}/],
  ["an AWS key", /(?<![A-Za-z0-9])(?:AKIA|ASIA)(?!\w{0,16}EXAMPLE)[A-Z0-9]{16}(?![A-Za-z0-9])/],
  [
    "a Slack token",
    /(?<![A-Za-z0-9])(?:xox[abeoprs]-[A-Za-z0-9-]{20}|xapp-\d-[A-Z0-9]{8,12}-\d{10,14}-[0-9a-f]{32})/,
  ],
  ["a GitLab token", /(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{20}/],
  ["an npm token", /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}/],
  ["a registry token", /:_auth(?:Token)?\s?=\s?["']?[A-Za-z0-9+/_-]{24}/],
  ["a Google key", /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}/],
  ["a Google client secret", /(?<![A-Za-z0-9])GOCSPX-[\w-]{28}/],
  ["a Google refresh token", /(?<![\w/:.])1\/\/0[\w-]{50}/],
  ["a Stripe key", /(?<![A-Za-z0-9])[rs]k_live_[A-Za-z0-9]{20}/],
  ["a webhook secret", /(?<![A-Za-z0-9])whsec_[A-Za-z0-9+/]{32}/],
  ["a Slack webhook", /hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/]{20}/],
  ["a Discord webhook", /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60}/],
  ["a SendGrid key", /(?<![A-Za-z0-9])SG\.[\w-]{22}\.[\w-]{43}/],
  ["a Twilio key", /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])/],
  ["a Mailgun key", /(?<![A-Za-z0-9])key-[0-9a-f]{32}(?![A-Za-z0-9])/],
  ["a Mailchimp key", /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])/],
  ["a Notion token", /(?<![A-Za-z0-9])ntn_\d{11}[A-Za-z0-9]{35}/],
  ["a Shopify token", /(?<![A-Za-z0-9])shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/],
  ["a Databricks token", /(?<![A-Za-z0-9])dapi[0-9a-f]{32}(?![0-9a-f])/],
  ["a Docker token", /(?<![A-Za-z0-9])dckr_(?:pat|oat)_[\w-]{27}/],
  ["a Vercel token", /(?<![A-Za-z0-9])vc[pkiar]_[A-Za-z0-9]{24}/],
  ["a Groq key", /(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{40}/],
  ["a Figma token", /(?<![A-Za-z0-9])fig[dour]_[\w-]{36}/],
  ["a Vault token", /(?<![A-Za-z0-9])hv[sbr]\.[\w-]{24}/],
  ["a Grafana token", /(?<![A-Za-z0-9])gl(?:sa_[A-Za-z0-9]{32}_[0-9a-f]{8}|c_[A-Za-z0-9+/]{32})/],
  ["a Hugging Face token", /(?<![A-Za-z0-9])hf_[A-Za-z]{34}(?![A-Za-z])/],
  ["a PyPI token", /(?<![A-Za-z0-9])pypi-AgEIcHlwaS5vcmc[\w-]{50}/],
  ["a DigitalOcean token", /(?<![A-Za-z0-9])do[opr]_v1_[0-9a-f]{64}/],
  ["a Linear key", /(?<![A-Za-z0-9])lin_api_[A-Za-z0-9]{40}/],
  ["a Telegram token", /(?<![A-Za-z0-9])\d{8,10}:AA[\w-]{33}(?![\w-])/],
  [
    "an AWS secret key",
    /aws.{0,20}?secret.{0,20}?["'\s:=]{1,5}(?![A-Za-z0-9/+]{0,40}EXAMPLE)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/i,
  ],
  ["a 1Password token", /(?<![A-Za-z0-9])ops_ey[A-Za-z0-9+/]{100}/],
  ["a Cloudflare token", /(?<![A-Za-z0-9])cf(?:k|ut|at)_[A-Za-z0-9]{40}[0-9a-f]{8}(?![A-Za-z0-9])/],
  ["a Tailscale key", /(?<![A-Za-z0-9])tskey-[a-z]{2,20}-\w{8,40}-\w{16}/],
  ["a database address with a password", databaseAddress],
  ["an address with a password", webAddress],
  [
    "a private key",
    /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,300}?[A-Za-z0-9+/]{40}/,
  ],
];

/** Shorter forms would match by chance once spaces are removed. */
const shortestJoined = 16;

/** Names the kinds of secrets in a text, in any usual encoding (T19), without repeating them. */
export type FindSecrets = (text: string) => string[];

/** `secrets`: values that must not be published. Values that occur in ordinary text, such as `postgres`, are skipped. */
export function createSecretFinder(secrets: readonly string[]): FindSecrets {
  const known = secrets.filter(isDistinctive);
  const forms = renderSecretForms(known);
  const longForms = forms.filter(({ length }) => length >= shortestJoined);
  return (text) => {
    const plain = text.replaceAll("\0", "");
    const joined = plain.replace(/\s+/g, "");
    const readings = [plain, ...decoded(plain)];
    const isKnown =
      forms.some((form) => plain.includes(form)) ||
      longForms.some((form) => joined.includes(form)) ||
      known.some((secret) => readings.some((reading) => reading.includes(secret)));
    const seen = shapes.filter(([, shape]) => readings.some((reading) => shape.test(reading)));
    return [...(isKnown ? ["a secret of this job"] : []), ...seen.map(([name]) => name)];
  };
}

/** Long, or with several kinds of characters. */
function isDistinctive(secret: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(secret));
  return secret.length >= 16 || (secret.length >= 8 && kinds.length > 1);
}

/** The text reversed and decoded, up to two encodings deep. */
function decoded(text: string): string[] {
  const once = [...hexRuns(text), ...base64Runs(text), ...base32Runs(text)];
  const twice = once.flatMap((inner) => base64Runs(inner).slice(0, 1));
  const plain = text.replace(/(?:%|\\x|\\u00)([0-9a-f]{2})/gi, (_, code) => byte(code));
  return [[...text].reverse().join(""), rot13(text), plain, ...once, ...twice];
}

const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => {
    const code = letter.charCodeAt(0);
    return String.fromCharCode((code & 31) > 13 ? code - 13 : code + 13);
  });

/** Five bytes are eight characters, so encoded text may begin at any of eight. */
const base32Runs = (text: string) => {
  const runs = text.match(/[A-Z2-7]{32,}/g) ?? text.match(/[a-z2-7]{32,}/g) ?? [];
  if (runs.length === 0) return [];
  return Array.from({ length: 8 }, (_, skip) =>
    runs.map((run) => decodeBase32(run.slice(skip).toUpperCase())).join("\n"),
  );
};

const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function decodeBase32(run: string): string {
  let text = "";
  let [bits, value] = [0, 0];
  for (const char of run) {
    value = ((value << 5) | base32.indexOf(char)) & 4095;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    text += String.fromCharCode((value >> bits) & 255);
  }
  return text;
}

const hexRuns = (text: string) =>
  [0, 1].map((skip) => decodeRuns(text, { runs: /[0-9a-f]{32,}/gi, skip, encoding: "hex" }));
const base64Runs = (text: string) =>
  [0, 1, 2, 3].map((skip) =>
    decodeRuns(text, { runs: /[A-Za-z0-9+/_-]{24,}/g, skip, encoding: "base64" }),
  );

const byte = (code: string) => String.fromCharCode(Number.parseInt(code, 16));

/** `skip`: encoded text may begin anywhere in a run of such characters. */
function decodeRuns(
  text: string,
  { runs, skip, encoding }: { runs: RegExp; skip: number; encoding: "hex" | "base64" },
): string {
  const found = text.match(runs) ?? [];
  return found.map((run) => Buffer.from(run.slice(skip), encoding).toString("latin1")).join("\n");
}

import { randomBytes } from "node:crypto";
import { constants, gunzipSync } from "node:zlib";

/** Every secret a job may hold: three model keys, tokens of GitHub and its runner, and one of the user's own. */
const names = [
  ...["anthropic", "oauth", "openai", "github", "checkout", "npm", "runtime", "identity"],
];

export interface Canaries {
  /** Stands in every value that is not given, so that whoever searches memory knows what to look for. */
  marker: string;
  values: Record<string, string>;
}

/** Secrets no vendor knows the shape of: only who knows the value can hide it. `given` replaces some. */
export function createCanaries(given: Record<string, string> = {}): Canaries {
  const marker = `cnry${randomBytes(3).toString("hex")}`;
  const made = names.map((name) => [name, `${marker}/${name}+${randomDigits()}`]);
  return { marker, values: { ...Object.fromEntries(made), ...given } };
}

const randomDigits = () => randomBytes(20).toString("hex");

/** Names of the secrets a content holds, in whatever form, and be it only half of one (H2). */
export type FindCanaries = (content: Buffer | string) => string[];

export function createCanaryFinder(values: Record<string, string>): FindCanaries {
  const forms = Object.entries(values).map(([name, value]) => [name, formsOf(value)] as const);
  return (content) => {
    const texts = unpacked(Buffer.from(content));
    const stands = (form: string) => texts.some((text) => text.includes(form));
    return forms.filter(([, all]) => all.some(stands)).map(([name]) => name);
  };
}

/** The value and the halves of its random part, each as it is, encoded, and turned round. */
function formsOf(value: string): string[] {
  const [random] = /[0-9a-f]{40}$/.exec(value) ?? [];
  const halves = random === undefined ? [] : [random.slice(0, 20), random.slice(20)];
  return [value, ...halves].flatMap(renderForms).flatMap((form) => [form, reverse(form)]);
}

const reverse = (text: string) => [...text].reverse().join("");

function renderForms(value: string): string[] {
  const hex = Buffer.from(value).toString("hex");
  const url = hex.replace(/../g, (digits) => `%${digits}`);
  return [
    ...[value, rotate(value), encodeURIComponent(value)],
    ...[hex, url].flatMap((form) => [form, form.toUpperCase()]),
    ...[0, 1, 2].map((offset) => base64At(value, offset)),
  ];
}

/** The characters of base64 that tell of this value alone, behind `offset` other bytes. */
function base64At(value: string, offset: number): string {
  const text = Buffer.from(`${"x".repeat(offset)}${value}`).toString("base64");
  return text.slice(offset === 0 ? 0 : 4, Math.floor(((offset + value.length) * 8) / 6));
}

const rotate = (value: string) =>
  value.replace(/[a-z]/gi, (letter) => {
    const first = letter < "a" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });

/** The content, and what is compressed in it, as it is or in base64. */
function unpacked(content: Buffer): string[] {
  const text = content.toString("latin1");
  const encoded = text.match(/H4sI[A-Za-z0-9+/_-]{16,}/g) ?? [];
  const packed = [...piecesOf(content), ...encoded.map((run) => Buffer.from(run, "base64"))];
  return [text, ...packed.map(gunzip)];
}

const gzipBegin = Buffer.from("1f8b08", "hex");

function piecesOf(content: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = content.indexOf(gzipBegin); at >= 0; at = content.indexOf(gzipBegin, at + 1)) {
    pieces.push(content.subarray(at));
  }
  return pieces;
}

/** As much as can be read; what only looks like a beginning is empty. */
function gunzip(packed: Buffer): string {
  try {
    return gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH }).toString("latin1");
  } catch {
    return "";
  }
}

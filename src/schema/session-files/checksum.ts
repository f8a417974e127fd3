import { createHash } from "node:crypto";

/** `checksum` of task-status.json: `sha256:` and the digest of its canonical form without that key (compatibility 1.3). */
export function canonicalChecksum(value: Readonly<Record<string, unknown>>): string {
  const { checksum: _, ...content } = value;
  return `sha256:${sha256(canonicalJson(content))}`;
}

/** 64 lower-case hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Keys sorted by code point, no white space, ASCII only: the form Python's json module writes. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return asciiJson(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, member]) => `${asciiJson(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

function asciiJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return text.replace(/[\u007f-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

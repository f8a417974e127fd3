import { createHash } from "node:crypto";
import type { EvidenceRef, PictureRef } from "../core/state/measurement.ts";
import { RalphError } from "../error.ts";
import type { Files } from "../platform/system.ts";

const folder = "evidence";
/** Most characters of head and tail each: 4 MiB together (design 2). */
const keep = 2 * 1024 * 1024;

/** Write-once files named by their sha256: the redacted output of agents and gates (design 2). */
export interface Evidence {
  /** Stores a text. `bytes` is the full size when the caller kept only a part. */
  put: (text: string, bytes?: number) => Promise<EvidenceRef>;
  /** Stores a picture; undefined for anything but a PNG or JPEG, and once a session has its share of pictures. */
  putPicture: (bytes: Buffer) => Promise<PictureRef | undefined>;
  /** Stores a file of the project's own programs as it is. */
  putFile: (content: Buffer) => Promise<EvidenceRef>;
  read: (ref: EvidenceRef) => Promise<string>;
  readBytes: (ref: EvidenceRef) => Promise<Buffer>;
  /** Makes everything stored so far survive a power failure; called before a pass is journaled. */
  settle: () => Promise<void>;
}

export function createEvidence(files: Files): Evidence {
  const unsettled = new Set<string>();
  const stored = new Set<string>();
  const pictures = { count: 0, bytes: 0 };
  const store = async (content: Buffer): Promise<string> => {
    const sha256 = digestOf(content);
    if (!stored.has(sha256)) {
      await files.write(pathOf(sha256), content);
      stored.add(sha256);
      unsettled.add(sha256);
    }
    return sha256;
  };
  return {
    put: async (text, bytes) => {
      const content = Buffer.from(capped(text), "utf8");
      const sha256 = await store(content);
      return { sha256, bytes: Math.max(bytes ?? 0, content.byteLength) };
    },
    putPicture: async (content) => {
      const isFull = pictures.count >= maxPictures || pictures.bytes >= maxPictureBytes;
      const kind = pictureKind(content);
      if (isFull || kind === undefined) return undefined;
      pictures.count++;
      pictures.bytes += content.byteLength;
      const ref = { sha256: await store(content), bytes: content.byteLength };
      return kind === "jpg" ? { ...ref, kind } : ref;
    },
    putFile: async (content) => ({
      sha256: await store(content),
      bytes: content.byteLength,
    }),
    read: (ref) => readEvidence(files, ref),
    readBytes: (ref) => readEvidenceBytes(files, ref),
    settle: async () => {
      // Other tasks may store more in the meantime.
      const settling = [...unsettled];
      await files.sync(settling.map(pathOf));
      for (const sha256 of settling) unsettled.delete(sha256);
    },
  };
}

/** Most pictures of a session, and most bytes of all of them. */
const maxPictures = 64;
const maxPictureBytes = 24 * 1024 * 1024;

/** By its first bytes; undefined for anything else. Pictures cannot be redacted: services know no secret. */
export function pictureKind(content: Buffer): "png" | "jpg" | undefined {
  if (content.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex"))) return "png";
  return content.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex")) ? "jpg" : undefined;
}

/** Reads one piece of evidence and checks it against its name. */
export async function readEvidence(files: Files, ref: EvidenceRef): Promise<string> {
  return (await readEvidenceBytes(files, ref)).toString("utf8");
}

/** The same as bytes. */
export async function readEvidenceBytes(files: Files, { sha256 }: EvidenceRef): Promise<Buffer> {
  const content = await files.read(pathOf(sha256));
  if (content && digestOf(content) === sha256) return content;
  throw new RalphError("tampering", {
    message: `${files.root}/${pathOf(sha256)} is ${content ? "not what the journal recorded" : "missing"}.`,
    remedy: "Do not trust this session's proofs; run the tasks again with `ralph run`.",
  });
}

const pathOf = (sha256: string) => `${folder}/${sha256}`;
const digestOf = (content: Buffer) => createHash("sha256").update(content).digest("hex");

function capped(text: string): string {
  if (text.length <= 2 * keep) return text;
  const cut = text.length - 2 * keep;
  return `${text.slice(0, keep)}\n[… ${cut} characters left out …]\n${text.slice(-keep)}`.toWellFormed();
}

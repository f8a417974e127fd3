import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { System } from "../../../src/platform/system.ts";

/** Values nobody else can read or change, as text for a cookie or a note. */
export interface Sealer {
  seal: (value: unknown) => string;
  /** Undefined for whatever was not sealed with the same secrets for the same purpose. */
  open: (text: string) => unknown;
}

export interface SealerParts extends Pick<System, "randomHex"> {
  secret: string;
  /** What is sealed for one purpose opens for no other. */
  purpose: string;
}

const algorithm = "aes-256-gcm";
const [nonceBytes, tagBytes] = [12, 16];

/** AES-256-GCM with a key of its own for each purpose. */
export function createSealer({ randomHex, secret, purpose }: SealerParts): Sealer {
  const key = Buffer.from(hkdfSync("sha256", secret, "ralph", purpose, 32));
  return {
    seal: (value) => {
      const nonce = Buffer.from(randomHex(nonceBytes), "hex");
      const cipher = createCipheriv(algorithm, key, nonce);
      const body = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
    open: (text) => {
      const bytes = Buffer.from(text, "base64url");
      if (bytes.length <= nonceBytes + tagBytes) return undefined;
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        const body = decipher.update(bytes.subarray(nonceBytes + tagBytes));
        return JSON.parse(Buffer.concat([body, decipher.final()]).toString());
      } catch {
        return undefined;
      }
    },
  };
}

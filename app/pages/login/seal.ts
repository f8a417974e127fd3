import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { System } from "../../../src/platform/system.ts";

/** Encrypts and authenticates values as text for a cookie or a note. */
export interface Sealer {
  seal: (value: unknown) => string;
  /** Undefined for text that was not sealed with the same secret and purpose. */
  open: (text: string) => unknown;
}

export interface SealerParts extends Pick<System, "randomHex"> {
  secret: string;
  /** A value sealed for one purpose cannot be opened for another. */
  purpose: string;
}

const algorithm = "aes-256-gcm";
const [nonceBytes, tagBytes] = [12, 16];

/** AES-256-GCM with a separate key for each purpose. */
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

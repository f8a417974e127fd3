import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from "node:crypto";
import * as z from "zod";
import { isSameSecret } from "../../../src/platform/secrets/secret-file.ts";
import type { System } from "../../../src/platform/system.ts";
import type { Notes } from "../../store/notes.ts";

/** The account of a signed-in person. */
export const Person = z.object({ id: z.int(), login: z.string(), type: z.string() });
export type Person = z.infer<typeof Person>;

const Kept = z.object({ person: Person, token: z.string(), until: z.int() });

/** The session of a signed-in person. */
export interface LoginSession {
  /** Identifies the session without opening it. */
  key: string;
  person: Person;
  /** The person's token; it reads what the person can read. */
  token: string;
  /** Part of every form, so that only the App's pages can send one (CSRF). */
  formToken: string;
}

export interface LoginSessionParts {
  notes: Notes;
  system: Pick<System, "clock" | "randomHex">;
  /** The client secret of the App: with a session's id it opens the stored session. */
  secret: string;
}

/** GitHub's user tokens live for the same time. */
export const loginSessionMs = 8 * 60 * 60_000;
const idForm = /^[0-9a-f]{64}$/;

/**
 * Sessions, stored under the digest of an id that only the browser has, and sealed with it: reading the database gives no
 * access to a session or its token.
 */
export function createLoginSessions({ notes, system, secret }: LoginSessionParts) {
  const { clock, randomHex } = system;
  const sealerFor = (id: string): Sealer =>
    createSealer({ randomHex, secret, purpose: `session ${id}` });
  return {
    /** Returns the id for the cookie. */
    begin: async ({ person, token, ms }: { person: Person; token: string; ms: number }) => {
      const id = randomHex(32);
      const at = clock.now();
      await notes.prune("session", at - loginSessionMs);
      const until = at + Math.min(ms, loginSessionMs);
      const data = sealerFor(id).seal({ person, token, until });
      await notes.put({ kind: "session", id: keyOf(id), repository: "", at, data });
      return id;
    },
    find: async (id: string | undefined): Promise<LoginSession | undefined> => {
      if (id === undefined || !idForm.test(id)) return undefined;
      const note = await notes.get("session", keyOf(id));
      const kept = note && Kept.safeParse(sealerFor(id).open(String(note.data))).data;
      if (!kept || kept.until <= clock.now()) return undefined;
      const { person, token } = kept;
      return { key: keyOf(id), person, token, formToken: formTokenOf(id) };
    },
    end: ({ key }: Pick<LoginSession, "key">) => notes.remove("session", key),
  };
}

export type LoginSessions = ReturnType<typeof createLoginSessions>;

const keyOf = (id: string) => createHash("sha256").update(id).digest("hex");
const formTokenOf = (id: string) => createHmac("sha256", id).update("form").digest("hex");

/** Whether a form came from a page of this session. */
export const isFromPage = ({ formToken }: LoginSession, given: string | null): boolean =>
  isSameSecret(given ?? "", formToken);

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

import { hash, timingSafeEqual } from "node:crypto";

/** Compares in constant time, so that an answer's time does not disclose a secret. */
export const isSameSecret = (given: string, secret: string): boolean =>
  timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", secret, "buffer"));

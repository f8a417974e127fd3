import { isRecord } from "../../schema/base/is-record.ts";

/** Fields of a login file that a program replaces when it refreshes its login. */
const refreshed = /token|expir|refresh/i;

/** Longest token; those of identity providers have a few thousand characters. */
const maxToken = 16 * 1024;

/**
 * The text of a refreshed login in plain form: names that are given twice, which another program reads differently, are
 * gone. Undefined where `isRefreshedLogin` is false.
 */
export function refreshedLogin(before: string, after: string): string | undefined {
  if (!isRefreshedLogin(before, after)) return undefined;
  return JSON.stringify(JSON.parse(after), null, before.includes("\n") ? 2 : 0);
}

/**
 * Whether a login file is the former one with fresh tokens and times, and nothing else: the same fields, every other
 * value unchanged, tokens of the same form for the same account. An agent can write this file, so it could otherwise
 * leave settings in the user's home (T08, T51).
 */
export function isRefreshedLogin(before: string, after: string): boolean {
  try {
    return isSameShape(JSON.parse(before), JSON.parse(after), "");
  } catch {
    return false;
  }
}

function isSameShape(before: unknown, after: unknown, field: string): boolean {
  if (isRecord(before) && isRecord(after)) {
    const names = Object.keys(before);
    return (
      names.length === Object.keys(after).length &&
      names.every((name) => name in after && isSameShape(before[name], after[name], name))
    );
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return true;
  if (!refreshed.test(field)) return false;
  if (typeof before === "number") return typeof after === "number" && after > 0;
  return typeof before === "string" && typeof after === "string" && isSameForm(before, after);
}

function isSameForm(before: string, after: string): boolean {
  if (after.length > maxToken || !/^[\w.~+/=:|-]{8,}$/.test(after)) return false;
  const [prefix = ""] = /^(?:[a-z]{2,8}\d*-)+/.exec(before) ?? [];
  return after.startsWith(prefix) && subjectOf(before) === subjectOf(after);
}

/** The account in a JSON web token; undefined for any other text. */
function subjectOf(token: string): unknown {
  const [head = "", payload = "", ...rest] = token.split(".");
  if (!head.startsWith("eyJ") || rest.length !== 1) return undefined;
  try {
    return JSON.parse(Buffer.from(payload, "base64url").toString()).sub;
  } catch {
    return undefined;
  }
}

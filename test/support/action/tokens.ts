import type { FakeAccount } from "../github/fake-state.ts";
import type { Permissions } from "../runner/model.ts";

/** A person's token, which may do everything. Every other token below starts with it. */
export const token = "ghs_0123456789abcdefghijklmnopqrstuvwxyz";
/** The token of an installed App, which may do everything, too. */
export const appToken = `${token}app`;

/** What a token stands for: a job's may only do what its `permissions` name. */
export interface Grant {
  kind: "job" | "app" | "person";
  permissions: Permissions | "all";
  /** Whose pull requests and comments it makes; a person's are those of the fake's viewer. */
  account?: FakeAccount;
}

export interface Tokens {
  /** A new token for a job. */
  issue: (permissions: Permissions) => string;
  /** Of an `authorization` header, as the API or git sends it. */
  grantOf: (authorization: string | undefined) => Grant | undefined;
}

export function createTokens(): Tokens {
  const jobs = new Map<string, Permissions>();
  const grantFor = (value: string): Grant | undefined => {
    if (value === token) return { kind: "person", permissions: "all" };
    if (value === appToken) {
      return { kind: "app", permissions: "all", account: { login: "our-app[bot]", type: "Bot" } };
    }
    const permissions = jobs.get(value);
    return permissions && { kind: "job", permissions };
  };
  return {
    issue: (permissions) => {
      const value = `${token}${String(jobs.size + 1).padStart(3, "0")}`;
      jobs.set(value, permissions);
      return value;
    },
    grantOf: (authorization = "") => {
      const [, scheme = "", value = ""] = /^(\w+) (.+)$/.exec(authorization) ?? [];
      const isBasic = scheme.toLowerCase() === "basic";
      const text = isBasic ? Buffer.from(value, "base64").toString() : value;
      return grantFor(isBasic ? text.slice(text.indexOf(":") + 1) : text);
    },
  };
}

const levels = ["none", "read", "write"];

/** Whether a token has a permission such as `contents: write`. */
export function mayDo({ permissions }: Grant, needed: string): boolean {
  const [scope = "", level = ""] = needed.split(": ");
  if (permissions === "all") return true;
  return levels.indexOf(permissions[scope] ?? "none") >= levels.indexOf(level);
}

const routes: readonly [method: string, path: RegExp, ...anyOf: string[]][] = [
  ["GET", /\/pulls(?:\/|$)/, "pull-requests: read"],
  ["*", /\/pulls(?:\/|$)/, "pull-requests: write"],
  ["GET", /\/issues\/\d+\/comments$|\/issues\/comments\//, "issues: read", "pull-requests: read"],
  [
    "*",
    /\/issues\/\d+\/(?:comments|labels|assignees)$|\/issues\/comments\//,
    "issues: write",
    "pull-requests: write",
  ],
  ["GET", /\/issues\/\d+$/, "issues: read", "pull-requests: read"],
  ["GET", /\/(?:check-runs|check-suites)(?:\/|$)/, "checks: read"],
  ["*", /\/check-runs(?:\/|$)/, "checks: write"],
  ["GET", /\/actions\//, "actions: read"],
  ["*", /\/actions\//, "actions: write"],
  ["GET", /\/(?:git|contents|commits)\//, "contents: read"],
  ["*", /\/git\//, "contents: write"],
];

/** The permissions a request needs one of; undefined: every token may send it. */
export function neededFor(method: string, path: string): readonly string[] | undefined {
  const [plain = ""] = path.split("?");
  const found = routes.find(
    ([verb, shape]) => (verb === method || verb === "*") && shape.test(plain),
  );
  return found?.slice(2) as string[] | undefined;
}

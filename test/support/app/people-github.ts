import { createHash, randomUUID } from "node:crypto";
import type { Reply, Seen } from "../github/server.ts";
import type { AppGitHub } from "./github.ts";

/** Somebody on GitHub, and the repositories with the App in it that they may read. */
export interface FakePerson {
  id: number;
  repositories: { installation: number; id: number; full_name: string; push: boolean }[];
}

export const client = { clientId: "Iv23.tests", clientSecret: "0b7e5f1c9a3d4e2f8b6a" };

/** Signing in with GitHub: codes that work once, tokens, and what a token may see. */
export interface FakePeople {
  people: Map<string, FakePerson>;
  /** Logins by token; a token that is taken out was revoked. */
  tokens: Map<string, string>;
  /** What GitHub's page does when somebody agrees: the path and query they come back with. */
  agree: (address: string, login: string) => string;
}

type Code = { login: string; challenge: string; address: string };

/** Lets people sign in on a fake GitHub. */
export function addPeople(github: AppGitHub): FakePeople {
  const codes = new Map<string, Code>();
  const found: FakePeople = {
    people: new Map(),
    tokens: new Map(),
    agree: (address, login) => {
      const { searchParams: query } = new URL(address);
      const code = randomUUID();
      const challenge = query.get("code_challenge") ?? "";
      codes.set(code, { login, challenge, address: query.get("redirect_uri") ?? "" });
      const back = new URL(query.get("redirect_uri") ?? "");
      return `${back.pathname}?${new URLSearchParams({ code, state: query.get("state") ?? "" })}`;
    },
  };
  github.people = (asked, seen) => {
    if (asked.startsWith("DELETE /applications/")) return revoke(found, seen);
    if (asked === "POST /login/oauth/access_token") return redeem(found, codes, seen.body);
    return asked.startsWith("GET /user") && !asked.startsWith("GET /users/")
      ? look(found, asked, seen)
      : undefined;
  };
  return found;
}

function redeem(found: FakePeople, codes: Map<string, Code>, body: unknown): Reply {
  const given = body as Record<string, string>;
  const known = codes.get(given.code ?? "");
  codes.delete(given.code ?? "");
  const challenge = createHash("sha256")
    .update(given.code_verifier ?? "")
    .digest("base64url");
  const isRight =
    given.client_id === client.clientId &&
    given.client_secret === client.clientSecret &&
    known?.challenge === challenge &&
    known.address === given.redirect_uri;
  if (!known || !isRight) return { body: { error: "bad_verification_code" } };
  const token = `ghu_${randomUUID()}`;
  found.tokens.set(token, known.login);
  return { body: { access_token: token, token_type: "bearer", expires_in: 28_800, scope: "" } };
}

/** Only the App's own client may revoke a token. */
function revoke({ tokens }: FakePeople, { authorization = "", body }: Seen): Reply {
  const { clientId, clientSecret } = client;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  if (authorization !== `Basic ${basic}`) return { status: 401, body: {} };
  const { access_token: token = "" } = body as Record<string, string>;
  return tokens.delete(token) ? { status: 204 } : { status: 422, body: {} };
}

function look(found: FakePeople, asked: string, { authorization = "", path }: Seen): Reply {
  const login = found.tokens.get(authorization.replace(/^bearer /i, ""));
  const person = login === undefined ? undefined : found.people.get(login);
  if (!person) return { status: 401, body: { message: "Bad credentials" } };
  if (asked === "GET /user") return { body: { id: person.id, login, type: "User" } };
  const { searchParams: query } = new URL(path, "http://fake");
  const page = <Item>(items: readonly Item[]) => {
    const start = (Number(query.get("page")) - 1) * Number(query.get("per_page"));
    return items.slice(start, start + Number(query.get("per_page")));
  };
  const ids = [...new Set(person.repositories.map(({ installation }) => installation))];
  if (asked === "GET /user/installations") {
    const installations = page(ids.map((id) => ({ id, suspended_at: null })));
    return { body: { total_count: ids.length, installations } };
  }
  const [, id] = /^GET \/user\/installations\/(\d+)\/repositories$/.exec(asked) ?? [];
  const own = person.repositories.filter(({ installation }) => installation === Number(id));
  if (own.length === 0) return { status: 404, body: { message: "Not Found" } };
  const repositories = page(own).map(({ id: number, full_name, push }) => {
    return { id: number, full_name, permissions: { pull: true, push } };
  });
  return { body: { total_count: own.length, repositories } };
}

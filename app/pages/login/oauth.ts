import { createHash } from "node:crypto";
import * as z from "zod";
import { callbackPath, type Settings } from "../../settings/settings.ts";
import { loginSessionMs, Person } from "./login-sessions.ts";

export type OAuthSettings = Pick<Settings, "apiUrl" | "serverUrl" | "publicUrl"> &
  NonNullable<Settings["login"]>;

/** The secrets of one sign-in. */
export interface LoginSecrets {
  state: string;
  /** PKCE: the code is useless without it. */
  verifier: string;
}

const callbackUrl = ({ publicUrl }: OAuthSettings) => new URL(callbackPath, publicUrl).href;

/** The page of GitHub where a person signs in. */
export function authorizeUrl(settings: OAuthSettings, { state, verifier }: LoginSecrets): string {
  const query = new URLSearchParams({
    client_id: settings.clientId,
    redirect_uri: callbackUrl(settings),
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  return `${settings.serverUrl}/login/oauth/authorize?${query}`;
}

/** GitHub refuses a code with status 200 and no token. */
const Granted = z.object({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().positive().optional(),
});

export type SignInResult =
  | { kind: "signed-in"; person: Person; token: string; ms: number }
  | { kind: "refused" | "unreachable" };

/** Exchanges a code, once, for the person's token. */
export async function redeemCode(
  settings: OAuthSettings,
  { code, verifier }: { code: string; verifier: string },
): Promise<SignInResult> {
  const answer = await requestJson({
    url: `${settings.serverUrl}/login/oauth/access_token`,
    body: {
      client_id: settings.clientId,
      client_secret: settings.clientSecret,
      code,
      redirect_uri: callbackUrl(settings),
      code_verifier: verifier,
    },
  });
  if (answer.kind !== "answered") return { kind: answer.kind };
  const granted = Granted.safeParse(answer.data).data;
  if (!granted) return { kind: "refused" };
  const { access_token: token, expires_in: seconds = loginSessionMs / 1000 } = granted;
  return readPerson(settings, { token, ms: seconds * 1000 });
}

async function readPerson(
  { apiUrl }: OAuthSettings,
  { token, ms }: { token: string; ms: number },
): Promise<SignInResult> {
  const answer = await requestJson({ url: `${apiUrl}/user`, token });
  if (answer.kind !== "answered") return { kind: answer.kind };
  const person = Person.safeParse(answer.data).data;
  return person ? { kind: "signed-in", person, token, ms } : { kind: "unreachable" };
}

/** Makes a person's token useless; false if GitHub did not confirm that. */
export async function revokeToken(settings: OAuthSettings, token: string): Promise<boolean> {
  const { clientId, clientSecret, apiUrl } = settings;
  const answer = await requestJson({
    url: `${apiUrl}/applications/${clientId}/token`,
    method: "DELETE",
    basic: `${clientId}:${clientSecret}`,
    body: { access_token: token },
  });
  return answer.kind === "answered";
}

/** `unreachable` includes answers that are not JSON. */
export type JsonAnswer =
  | { kind: "answered"; data: unknown }
  | { kind: "refused"; status: number }
  | { kind: "unreachable" };

export interface JsonRequest {
  url: string;
  /** The token of the person. */
  token?: string;
  /** `name:password` of the App's client, instead of a token. */
  basic?: string;
  /** Sent by POST, unless a method is given. */
  body?: Readonly<Record<string, string>>;
  method?: "DELETE";
}

/** A person waits for the answer. */
const requestMs = 10_000;

/** A request to GitHub on behalf of a person. Redirects are not followed, so that tokens and codes stay with GitHub. */
export async function requestJson({
  url,
  token,
  basic,
  body,
  method,
}: JsonRequest): Promise<JsonAnswer> {
  try {
    const answer = await fetch(url, {
      method: method ?? (body ? "POST" : "GET"),
      headers: {
        accept: "application/json",
        "user-agent": "ralph",
        ...(body && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(basic !== undefined && {
          authorization: `Basic ${Buffer.from(basic).toString("base64")}`,
        }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "error",
      signal: AbortSignal.timeout(requestMs),
    });
    if (!answer.ok && answer.status < 500) return { kind: "refused", status: answer.status };
    if (answer.status === 204) return { kind: "answered", data: undefined };
    return answer.ok ? { kind: "answered", data: await answer.json() } : { kind: "unreachable" };
  } catch {
    return { kind: "unreachable" };
  }
}

import { createHash } from "node:crypto";
import * as z from "zod";
import { callbackPath } from "../../settings/paths.ts";
import type { Settings } from "../../settings/settings.ts";
import { loginSessionMs, type Person } from "./login-sessions.ts";
import { requestJson } from "./request-json.ts";

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
const User = z.object({ id: z.int(), login: z.string(), type: z.string() });

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
  const person = User.safeParse(answer.data).data;
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

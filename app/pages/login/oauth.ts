import { createHash } from "node:crypto";
import * as z from "zod";
import { callbackPath } from "../../settings/paths.ts";
import type { Settings } from "../../settings/settings.ts";
import { loginSessionMs, type Person } from "./login-sessions.ts";
import { requestJson } from "./request-json.ts";

export type OAuthSettings = Pick<Settings, "apiUrl" | "serverUrl" | "publicUrl"> &
  NonNullable<Settings["login"]>;

/** What is sent to GitHub and comes back, or is told only when the code is exchanged. */
export interface LoginSecrets {
  state: string;
  /** PKCE: a code is worth nothing to whoever does not know it. */
  verifier: string;
}

const callbackUrl = ({ publicUrl }: OAuthSettings) => new URL(callbackPath, publicUrl).href;

/** Where people say on GitHub who they are. */
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

/** GitHub refuses a code with a 200 that has no token. */
const Granted = z.object({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().positive().optional(),
});
const User = z.object({ id: z.int(), login: z.string(), type: z.string() });

export type SignInResult =
  | { kind: "signed-in"; person: Person; token: string; ms: number }
  | { kind: "refused" | "unreachable" };

/** Exchanges a code, once, for the token of the person who brought it. */
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
  return whoIs(settings, { token, ms: seconds * 1000 });
}

async function whoIs(
  { apiUrl }: OAuthSettings,
  { token, ms }: { token: string; ms: number },
): Promise<SignInResult> {
  const answer = await requestJson({ url: `${apiUrl}/user`, token });
  if (answer.kind !== "answered") return { kind: answer.kind };
  const person = User.safeParse(answer.data).data;
  return person ? { kind: "signed-in", person, token, ms } : { kind: "unreachable" };
}

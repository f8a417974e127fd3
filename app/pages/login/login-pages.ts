import { timingSafeEqual } from "node:crypto";
import * as z from "zod";
import type { System } from "../../../src/platform/system.ts";
import { callbackPath } from "../../settings/paths.ts";
import type { PageAnswer, PageRequest, Route } from "../../webhooks/route.ts";
import { redirect, renderNotice } from "../frame/frame.ts";
import type { ReadForm } from "../frame/read-form.ts";
import type { Cookies } from "./cookies.ts";
import { isFromPage, type LoginSessions, loginSessionMs } from "./login-sessions.ts";
import { authorizeUrl, type OAuthSettings, redeemCode } from "./oauth.ts";
import { createSealer } from "./seal.ts";
import { wantedPath } from "./sign-in-page.ts";

export interface LoginParts {
  settings: OAuthSettings;
  sessions: LoginSessions;
  cookies: Cookies;
  readForm: ReadForm;
  system: Pick<System, "clock" | "randomHex">;
}

/** Of signing in; GitHub's codes live as long. */
const loginMs = 10 * 60_000;

const Begun = z.object({ state: z.string(), verifier: z.string(), to: z.string(), until: z.int() });

/** Signing in with GitHub, and out again. */
export function loginPages(parts: LoginParts): Route[] {
  const { randomHex, clock } = parts.system;
  const sealer = createSealer({ randomHex, secret: parts.settings.clientSecret, purpose: "login" });
  const begin = async ({ query }: PageRequest) => {
    const secrets = { state: randomHex(32), verifier: randomHex(32) };
    const to = wantedPath(query.get("to"));
    const value = sealer.seal({ ...secrets, to, until: clock.now() + loginMs });
    const cookie = parts.cookies.set({ name: "login", value, seconds: loginMs / 1000 });
    return redirect(authorizeUrl(parts.settings, secrets), [cookie]);
  };
  const end = async (asked: PageRequest) => {
    const begun = Begun.safeParse(sealer.open(parts.cookies.read(asked.request, "login") ?? ""));
    return comeBack(parts, asked, begun.data);
  };
  return [
    { method: "GET", path: "/login", page: begin },
    { method: "GET", path: callbackPath, page: end },
    { method: "POST", path: "/logout", page: (asked) => logout(parts, asked) },
  ];
}

/** What GitHub sends back counts only in the browser that began, and only once. */
async function comeBack(
  parts: LoginParts,
  { query }: PageRequest,
  begun: z.infer<typeof Begun> | undefined,
): Promise<PageAnswer> {
  const { settings, sessions, cookies, system } = parts;
  const used = cookies.clear("login");
  if (!begun || begun.until <= system.clock.now() || !isSame(begun.state, query.get("state")))
    return failed(used, "This is not the answer to a sign-in that began in this browser.");
  const code = query.get("code");
  if (code === null) return failed(used, "GitHub says that you did not allow it.");
  const { verifier, to } = begun;
  const result = await redeemCode(settings, { code, verifier });
  if (result.kind !== "signed-in") return failed(used, reasons[result.kind]);
  const value = await sessions.begin(result);
  const session = cookies.set({ name: "session", value, seconds: loginSessionMs / 1000 });
  return redirect(to, [used, session]);
}

const reasons = {
  refused: "GitHub does not accept what it sent you back with; each sign-in works once.",
  unreachable: "GitHub could not be reached.",
};

function failed(used: string, because: string): PageAnswer {
  const notice = renderNotice({
    ...{ status: 400, title: "You are not signed in", words: because },
    ...{ link: { to: "/login", words: "Sign in again" } },
  });
  return { ...notice, headers: { ...notice.headers, "set-cookie": [used] } };
}

function isSame(ours: string, theirs: string | null): boolean {
  const [one, other] = [Buffer.from(ours), Buffer.from(theirs ?? "")];
  return one.length === other.length && timingSafeEqual(one, other);
}

async function logout(
  { sessions, cookies, readForm }: LoginParts,
  { request }: PageRequest,
): Promise<PageAnswer> {
  const session = await sessions.find(cookies.read(request, "session"));
  if (!session) return redirect("/", [cookies.clear("session")]);
  const form = await readForm(request);
  if (!isFromPage(session, form.get("token"))) {
    const words = "This did not come from a page of yours. Reload the page and try again.";
    return renderNotice({ status: 403, title: "Not signed out", words });
  }
  await sessions.end(session);
  return redirect("/", [cookies.clear("session")]);
}

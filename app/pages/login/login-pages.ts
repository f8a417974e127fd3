import * as z from "zod";
import { isSameSecret } from "../../../src/platform/secrets/secret-file.ts";
import type { System } from "../../../src/platform/system.ts";
import { html } from "../../../src/views/html/html.ts";
import type { RecordEvent } from "../../events/recorder.ts";
import { callbackPath } from "../../settings/settings.ts";
import type { PageAnswer, PageRequest, Route } from "../../webhooks/route.ts";
import { redirect, renderAppPage, renderNotice } from "../frame/frame.ts";
import type { ReadForm } from "../frame/read-form.ts";
import type { Cookies } from "./cookies.ts";
import { createSealer, isFromPage, type LoginSessions, loginSessionMs } from "./login-sessions.ts";
import { authorizeUrl, type OAuthSettings, redeemCode, revokeToken } from "./oauth.ts";

export interface LoginParts {
  settings: OAuthSettings;
  sessions: LoginSessions;
  cookies: Cookies;
  readForm: ReadForm;
  system: Pick<System, "clock" | "randomHex">;
  record: RecordEvent;
}

/** The time for signing in; GitHub's codes live for the same time. */
const loginMs = 10 * 60_000;

const Begun = z.object({ state: z.string(), verifier: z.string(), to: z.string(), until: z.int() });

/** The pages for signing in with GitHub and signing out. */
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
    return completeSignIn(parts, asked, begun.data);
  };
  return [
    { method: "GET", path: "/login", page: begin },
    { method: "GET", path: callbackPath, page: end },
    { method: "POST", path: "/logout", page: (asked) => logout(parts, asked) },
  ];
}

/** GitHub's answer only counts in the browser that began to sign in, and only once. */
async function completeSignIn(
  parts: LoginParts,
  { query }: PageRequest,
  begun: z.infer<typeof Begun> | undefined,
): Promise<PageAnswer> {
  const { settings, sessions, cookies, system } = parts;
  const used = cookies.clear("login");
  if (
    !begun ||
    begun.until <= system.clock.now() ||
    !isSameSecret(query.get("state") ?? "", begun.state)
  )
    return failed(used, "This answer does not belong to a sign-in that began in this browser.");
  const code = query.get("code");
  if (code === null) return failed(used, "You did not allow the sign-in on GitHub.");
  const { verifier, to } = begun;
  const result = await redeemCode(settings, { code, verifier });
  if (result.kind !== "signed-in") return failed(used, reasons[result.kind]);
  const value = await sessions.begin(result);
  parts.record("signed-in", { actor: result.person.login });
  const session = cookies.set({ name: "session", value, seconds: loginSessionMs / 1000 });
  return redirect(to, [used, session]);
}

const reasons = {
  refused: "GitHub refused the code of this sign-in; each code works only once.",
  unreachable: "GitHub could not be reached.",
};

function failed(used: string, because: string): PageAnswer {
  const notice = renderNotice({
    ...{ status: 400, title: "You are not signed in", message: because },
    ...{ link: { to: "/login", label: "Sign in again" } },
  });
  return { ...notice, headers: { ...notice.headers, "set-cookie": [used] } };
}

async function logout(
  { settings, sessions, cookies, readForm, record }: LoginParts,
  { request }: PageRequest,
): Promise<PageAnswer> {
  const session = await sessions.find(cookies.read(request, "session"));
  if (!session) return redirect("/", [cookies.clear("session")]);
  const form = await readForm(request);
  if (!isFromPage(session, form.get("token"))) {
    const message = "This form did not come from your session. Reload the page and try again.";
    return renderNotice({ status: 403, title: "Not signed out", message });
  }
  await sessions.end(session);
  const isRevoked = await revokeToken(settings, session.token);
  record("signed-out", { actor: session.person.login, isRevoked });
  return redirect("/", [cookies.clear("session")]);
}

const [purpose, content, privacy] = [
  "This GitHub App starts ralph in the repositories in which it is installed. A person labels an issue, writes a comment or pushes a report; a workflow works through the tasks with coding agents; and a pull request shows the work, its proof and its cost.",
  "These pages show its runs and its queue, only for the repositories that you can read on GitHub.",
  "The App learns from GitHub who you are and which of its repositories you can read. Your sign-in expires after eight hours.",
];

/** The page before signing in, which then leads back to the requested page. */
export function signInPage(asked: PageRequest): PageAnswer {
  const { method, url = "" } = asked.request;
  const [path = ""] = url.split("?", 1);
  const to = wantedPath(path);
  const isFirst = path === "/" && method !== "POST";
  const query = to === "/" ? "" : `?${new URLSearchParams({ to })}`;
  const main = html`
    <div class="hero">
    <h1>Tasks in, proved pull requests out</h1>
    <p>${purpose}</p>
    <p>${content}</p>
    <p><a class="button main" href="/login${query}">Sign in with GitHub</a></p>
    <p class="quiet">${privacy}</p>
    </div>`;
  return renderAppPage({ title: "Sign in", main, status: isFirst ? 200 : 403 });
}

const pages = /^\/(?:queue|today|audit|owners(?:\/[\w-]{1,100})?|runs(?:\/[\w-]{1,100})?)?$/;

/** The page to show after signing in: one of the App's pages, even if a link names another address. */
export const wantedPath = (given: string | null): string =>
  given !== null && pages.test(given) ? given : "/";

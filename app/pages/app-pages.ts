import type { System } from "../../src/platform/system.ts";
import type { Access } from "../access/access.ts";
import type { RecordEvent } from "../events/recorder.ts";
import type { Settings } from "../settings/settings.ts";
import type { Store } from "../store/notes.ts";
import type { PageAnswer, PageRequest, Route } from "../webhooks/route.ts";
import { auditPage } from "./audit-trail.ts";
import { renderNotice } from "./frame/frame.ts";
import { createFormReader } from "./frame/read-form.ts";
import { createReadableCache, type FindReadable } from "./list-readable.ts";
import { createLiveJobs } from "./live-jobs.ts";
import { type Cookies, createCookies } from "./login/cookies.ts";
import { loginPages, signInPage } from "./login/login-pages.ts";
import { createLoginSessions, type LoginSessions } from "./login/login-sessions.ts";
import { ownerPage, ownersPage } from "./owner-page.ts";
import { pauseOwner } from "./pause-owner.ts";
import { queuePage, retryJob } from "./queue-page.ts";
import { confirmAction, takeAction } from "./run-actions.ts";
import { createRunEvents } from "./run-events.ts";
import { createGitHubLinks } from "./run-labels.ts";
import { reportPage, runPage } from "./run-page.ts";
import { runsPage } from "./runs-page.ts";
import { todayPage } from "./today-page.ts";
import type { PageParts, Visit } from "./visit.ts";

export interface AppPagesParts extends Pick<Store, "notes" | "queue"> {
  settings: Pick<Settings, "apiUrl" | "serverUrl" | "publicUrl" | "login" | "bots">;
  system: Pick<System, "clock" | "randomHex">;
  access: Access;
  record: RecordEvent;
}

/** All pages for people; disabled without a sign-in client. */
export function appPages(given: AppPagesParts): Route[] {
  const { settings, system, notes, queue, access, record } = given;
  const { login, publicUrl, apiUrl, serverUrl, bots } = settings;
  if (!login) return paths.map((path) => ({ method: "GET", path, page: async () => disabled }));
  const { clock } = system;
  const cookies = createCookies(publicUrl);
  const sessions = createLoginSessions({ notes, system, secret: login.clientSecret });
  const readForm = createFormReader();
  const signIn = { cookies, sessions, readable: createReadableCache({ apiUrl, clock }) };
  const parts = {
    ...{ notes, queue, clock, bots, access, record, readForm },
    links: createGitHubLinks(serverUrl),
    liveJobs: createLiveJobs(access, clock),
  };
  const route = (method: Route["method"], path: string, page: ForVisitor): Route => ({
    ...{ method, path },
    page: (asked) => withVisit(signIn, asked, (visit) => page(parts, visit)),
  });
  const oauth = { apiUrl, serverUrl, publicUrl, ...login };
  return [
    ...loginPages({ settings: oauth, sessions, cookies, readForm, system, record }),
    route("GET", "/", runsPage),
    route("GET", "/runs", runsPage),
    route("GET", "/runs/*", runPage),
    route("GET", "/runs/*/report", reportPage),
    route("GET", "/runs/*/events", createRunEvents()),
    ...(["cancel", "retry"] as const).flatMap((action) => [
      route("GET", `/runs/*/${action}`, confirmAction(action)),
      route("POST", `/runs/*/${action}`, takeAction(action)),
    ]),
    route("GET", "/owners", ownersPage),
    route("GET", "/owners/*", ownerPage),
    route("POST", "/owners/*/pause", pauseOwner(true)),
    route("POST", "/owners/*/resume", pauseOwner(false)),
    route("GET", "/audit", auditPage),
    route("GET", "/today", todayPage),
    route("GET", "/queue", queuePage),
    route("POST", "/queue/retry", retryJob),
  ];
}

type ForVisitor = (parts: PageParts, visit: Visit) => Promise<PageAnswer>;

const paths = ["/", "/runs", "/runs/*", "/today", "/owners", "/queue", "/audit", "/login"];
const disabled: PageAnswer = {
  status: 404,
  type: "text/plain",
  body: "The pages are disabled: GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET and PUBLIC_URL enable them.\n",
};

type SignIn = { cookies: Cookies; sessions: LoginSessions; readable: FindReadable };

/** Shows a page to a person who has signed in, with the repositories they can read. */
async function withVisit(
  { cookies, sessions, readable }: SignIn,
  asked: PageRequest,
  show: (visit: Visit) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const session = await sessions.find(cookies.read(asked.request, "session"));
  if (!session) return signInPage(asked);
  const result = await readable(session);
  switch (result.kind) {
    case "known":
      return show({ session, asked, ...result });
    case "signed-out":
      await sessions.end(session);
      return signInPage(asked);
    case "unreachable": {
      const message =
        "GitHub does not answer which repositories you can read. Try again in a minute.";
      return renderNotice({ status: 503, title: "GitHub is unreachable", message, session });
    }
  }
}

/** For a path that no page has, with a way back. */
export const missingPage = renderNotice({
  ...{ status: 404, title: "There is no such page" },
  message: "The address may be incomplete, or the page was removed.",
  link: { to: "/", label: "All runs" },
});

import { type Content, type Html, html } from "../../../src/views/html/html.ts";
import { isolate } from "../../../src/views/html/labels.ts";
import { contentPolicyOf, renderWith } from "../../../src/views/html/page.ts";
import type { PageAnswer } from "../../webhooks/route.ts";
import { appStyle } from "./style.ts";

/** The person who views a page. */
export interface PageViewer {
  person: { login: string };
  /** Part of every form (CSRF). */
  formToken: string;
}

export interface PageContent {
  title: string;
  main: Content;
  session?: PageViewer | undefined;
  /** The path of the active entry in the navigation. */
  here?: string;
  status?: number;
}

const options = { style: appStyle, forms: "self" } as const;
const policy = contentPolicyOf(options);

/** Headers that repeat the page's own policy, and forbid embedding it. */
const headers = {
  "content-security-policy": `${policy}; frame-ancestors 'none'`,
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** A complete page, which loads nothing, runs nothing, and sends forms only to the App. */
export function renderAppPage({
  title,
  main,
  session,
  here,
  status = 200,
}: PageContent): PageAnswer {
  const body = html`
    <header class="top"><p class="name">ralph</p>
    ${session && renderNavigation(here)}
    ${session && renderSession(session)}</header>
    <main>${main}</main>
    ${session && html`<footer>Times are UTC.</footer>`}`;
  const page = renderWith({ title: `${title} – ralph`, body }, { ...options, policy });
  return { status, type: "text/html", body: page, headers };
}

const navigation = [
  ["Runs", "/"],
  ["Today", "/today"],
  ["Queue", "/queue"],
] as const;

function renderNavigation(here: string | undefined): Html {
  const items = navigation.map(([name, path]) =>
    path === here
      ? html`<li><a href="${path}" aria-current="page">${name}</a></li>`
      : html`<li><a href="${path}">${name}</a></li>`,
  );
  return html`<nav aria-label="Pages"><ul>${items}</ul></nav>`;
}

function renderSession({ person, formToken }: PageViewer): Html {
  return html`
    <form method="post" action="/logout"><span class="quiet">${isolate(person.login, 60)}</span>
    ${hidden("token", formToken)}<button>Sign out</button></form>`;
}

/** A hidden form field. */
export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

export interface Notice extends Omit<PageContent, "main"> {
  message: string;
  link?: { to: string; label: string };
}

/** A page with a single message. */
export function renderNotice({ message, link, ...content }: Notice): PageAnswer {
  const main = html`
    <h1>${content.title}</h1><p>${message}</p>
    ${link && html`<p><a class="button" href="${link.to}">${link.label}</a></p>`}`;
  return renderAppPage({ ...content, main });
}

/** The page does not exist, or the person may not see it; the answer is the same. */
export const notFoundPage = (session: PageViewer): PageAnswer =>
  renderNotice({
    ...{ status: 404, title: "Not found", session },
    message: "This page does not exist, or you cannot read its repository.",
    link: { to: "/", label: "All runs" },
  });

/** A redirect to another page, with cookies. */
export function redirect(to: string, cookies: readonly string[] = []): PageAnswer {
  const location = { ...headers, location: to };
  const set = cookies.length > 0 ? { "set-cookie": [...cookies] } : {};
  return { status: 303, type: "text/plain", body: "", headers: { ...location, ...set } };
}

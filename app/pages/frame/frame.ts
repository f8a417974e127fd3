import { type Content, type Html, html } from "../../../src/views/html/html.ts";
import { isolate } from "../../../src/views/html/labels.ts";
import { contentPolicyOf, renderWith } from "../../../src/views/html/page.ts";
import type { PageAnswer } from "../../webhooks/route.ts";
import { appStyle } from "./style.ts";

/** The person who looks at a page. */
export interface PageViewer {
  person: { login: string };
  /** Goes into every form (CSRF). */
  formToken: string;
}

export interface PageContent {
  title: string;
  main: Content;
  session?: PageViewer | undefined;
  /** Path of the place in the bar that is shown. */
  here?: string;
  status?: number;
}

const look = { style: appStyle, forms: "self" } as const;
const policy = contentPolicyOf(look);

/** What a browser is told beside the page: like the page itself, but also who may embed it. */
const headers = {
  "content-security-policy": `${policy}; frame-ancestors 'none'`,
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** A whole page of the App's: it loads nothing, runs nothing, and sends forms only to the App. */
export function renderAppPage({
  title,
  main,
  session,
  here,
  status = 200,
}: PageContent): PageAnswer {
  const body = html`
    <header class="top"><p class="name">ralph</p>
    ${session && renderPlaces(here)}
    ${session && renderSession(session)}</header>
    <main>${main}</main>
    ${session && html`<footer>Times are UTC.</footer>`}`;
  const page = renderWith({ title: `${title} – ralph`, body }, { ...look, policy });
  return { status, type: "text/html", body: page, headers };
}

const places = [
  ["Runs", "/"],
  ["Today", "/today"],
  ["Queue", "/queue"],
] as const;

function renderPlaces(here: string | undefined): Html {
  const items = places.map(([name, path]) =>
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

/** A value a form sends without showing it. */
export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

export interface Notice extends Omit<PageContent, "main"> {
  words: string;
  link?: { to: string; words: string };
}

/** A page that says one thing. */
export function renderNotice({ words, link, ...framed }: Notice): PageAnswer {
  const main = html`
    <h1>${framed.title}</h1><p>${words}</p>
    ${link && html`<p><a class="button" href="${link.to}">${link.words}</a></p>`}`;
  return renderAppPage({ ...framed, main });
}

/** There is no such page, or it is not theirs: nobody can tell which. */
export const notFoundPage = (session: PageViewer): PageAnswer =>
  renderNotice({
    ...{ status: 404, title: "There is nothing here", session },
    words: "Either it does not exist, or you may not read its repository.",
    link: { to: "/", words: "All runs" },
  });

/** To another page, with cookies. */
export function redirect(to: string, cookies: readonly string[] = []): PageAnswer {
  const location = { ...headers, location: to };
  const set = cookies.length > 0 ? { "set-cookie": [...cookies] } : {};
  return { status: 303, type: "text/plain", body: "", headers: { ...location, ...set } };
}

import { type Content, type Html, html } from "../../../src/views/html/html.ts";
import { isolate } from "../../../src/views/html/labels.ts";
import { contentPolicyOf, renderWith } from "../../../src/views/html/page.ts";
import { style as reportStyle } from "../../../src/views/html/style.ts";
import type { PageAnswer } from "../../webhooks/route.ts";
import { liveScript } from "./live-script.ts";

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
  /** Shows changes by itself: by a script, or loaded again every 30 seconds. */
  isLive?: boolean;
  /** Embeds another of the App's pages. */
  hasFrame?: boolean;
}

/** Styles beyond those of a session's report: the navigation, forms, lists of runs and jobs. */
const pages = `
.top{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.25rem;border-bottom:1px solid var(--line);
padding-bottom:.5rem;margin-bottom:1.25rem}
.top .name{font-weight:700;margin:0}
.top ul{margin:0}
.top nav{order:1;flex-basis:100%}
.top [aria-current]{color:var(--text);font-weight:600;text-decoration:none;border-bottom:3px solid var(--link)}
.top form{margin-left:auto;display:flex;align-items:center;gap:.75rem}
form{margin:0}
button,select,input,.button{font:inherit;color:var(--text);background:var(--panel);border:1px solid var(--gate);
border-radius:6px;padding:.45rem .8rem;min-height:2.5rem;max-width:100%}
button,.button{cursor:pointer;font-weight:600}
button:hover,.button:hover{border-color:var(--link)}
.button{display:inline-block;text-decoration:none}
.main{background:var(--link);border-color:var(--link);color:var(--page)}
.filter{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.75rem 0 1rem}
.filter p{display:flex;flex:1 1 100%;min-width:0;gap:.5rem;align-items:center;margin:0}
.filter label{flex:0 0 6rem}
.filter select,.filter input{flex:1 1 8rem;min-width:0}
.list{list-style:none;padding:0;margin:0}
.list>li{border-bottom:1px solid var(--line);padding:.6rem 0;margin:0}
.list h2,.list h3{font-size:1rem;margin:0;padding:0;border:0;font-weight:600}
.list p{margin:.15rem 0 0;font-size:.9rem}
.run,.job{display:grid;grid-template-columns:minmax(6rem,1fr) auto;gap:0 1rem;align-items:baseline}
.run p,.job p,.job form{grid-column:1/-1}
.run .state{white-space:normal;text-align:right}
.job form{margin-top:.5rem}
.line{display:flex;flex-wrap:wrap;gap:0 1rem;line-height:1.75;font-variant-numeric:tabular-nums}
dd .price{margin-top:.4rem}
.pages{display:flex;flex-wrap:wrap;gap:.5rem;margin:1.25rem 0}
.pages .button{white-space:nowrap}
.pages [aria-current]{border-color:var(--link);color:var(--link)}
.fold summary{cursor:pointer;padding:.4rem 0;font-weight:600}
.scroll{overflow-x:auto}
th code{white-space:nowrap}
.report{display:block;width:100%;height:80vh;border:1px solid var(--line);border-radius:6px;background:var(--page)}
.hero{max-width:42rem}
.hero .button{margin:1rem 0}
.note{max-width:42rem}
@media (min-width:52rem){
.top nav{order:0;flex-basis:auto}
.filter p{flex:1 1 0}
.filter .day{flex:0 0 auto}
.filter label{flex:none}
.run{grid-template-columns:minmax(0,1fr) 14rem 33rem}
.run .state{text-align:left}
.run .figures-line{grid-column:3;grid-row:1;margin:0;display:grid;grid-template-columns:8rem 7rem 9.5rem 8.5rem;gap:0;text-align:right}
.job{grid-template-columns:minmax(0,1fr) auto}
.job form{grid-column:2;grid-row:1/span 3;margin:0}
}
`;

/** The complete style of the App's pages. */
const appStyle = `${reportStyle}${pages.replaceAll("\n", "")}`;

/** The rights of a page beyond showing itself; each kind has its own content policy. */
type Kind = Pick<PageContent, "isLive" | "hasFrame">;

function lookOf({ isLive, hasFrame }: Kind) {
  const look = {
    ...{ style: appStyle, forms: "self" as const },
    ...(isLive && { script: liveScript }),
    ...(hasFrame && { frames: "self" as const }),
  };
  return { ...look, policy: contentPolicyOf(look) };
}

const looks = new Map<string, ReturnType<typeof lookOf>>();

function knownLook(kind: Kind) {
  const key = `${kind.isLive === true} ${kind.hasFrame === true}`;
  const look = looks.get(key) ?? lookOf(kind);
  looks.set(key, look);
  return look;
}

/** Headers that repeat the page's own policy, and forbid embedding it. */
const headersOf = (policy: string) => ({
  "content-security-policy": `${policy}; frame-ancestors 'none'`,
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
});

const withoutScript = html`<noscript><meta http-equiv="refresh" content="30"></noscript>`;

/** A complete page, which loads and runs nothing but its own script, and sends forms only to the App. */
export function renderAppPage({
  title,
  main,
  session,
  here,
  status = 200,
  ...kind
}: PageContent): PageAnswer {
  const look = knownLook(kind);
  const body = html`
    <header class="top"><p class="name">ralph</p>
    ${session && renderNavigation(here)}
    ${session && renderSession(session)}</header>
    <main>${main}</main>
    ${session && html`<footer>Times are UTC.</footer>`}`;
  const head = kind.isLive ? withoutScript : undefined;
  const page = renderWith({ title: `${title} – ralph`, body, head }, look);
  return { status, type: "text/html", body: page, headers: headersOf(look.policy) };
}

const navigation = [
  ["Runs", "/"],
  ["Today", "/today"],
  ["Owners", "/owners"],
  ["Queue", "/queue"],
  ["Audit", "/audit"],
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
  const location = { ...headersOf(knownLook({}).policy), location: to };
  const set = cookies.length > 0 ? { "set-cookie": [...cookies] } : {};
  return { status: 303, type: "text/plain", body: "", headers: { ...location, ...set } };
}

import { html } from "../../../src/views/html/html.ts";
import type { PageAnswer, PageRequest } from "../../webhooks/route.ts";
import { renderAppPage } from "../frame/frame.ts";

const [whatItDoes, whatIsHere, whatIsAsked] = [
  "This GitHub App starts ralph in repositories it is installed in. Somebody puts a label on an issue, writes a comment or pushes a report; a workflow works through the tasks with coding agents; and a pull request tells what was done, what proves it and what it cost.",
  "These pages show its runs and its queue, for the repositories you can read on GitHub and for no others.",
  "GitHub tells this App who you are and which of its repositories you can read. It forgets your sign-in after eight hours.",
];

/** What somebody sees who has not signed in; afterwards they are where they wanted to be. */
export function signInPage(asked: PageRequest): PageAnswer {
  const { method, url = "" } = asked.request;
  const [path = ""] = url.split("?", 1);
  const to = wantedPath(path);
  const isFirst = path === "/" && method !== "POST";
  const query = to === "/" ? "" : `?${new URLSearchParams({ to })}`;
  const main = html`
    <div class="hero">
    <h1>Tasks in, proved pull requests out</h1>
    <p>${whatItDoes}</p>
    <p>${whatIsHere}</p>
    <p><a class="button main" href="/login${query}">Sign in with GitHub</a></p>
    <p class="quiet">${whatIsAsked}</p>
    </div>`;
  return renderAppPage({ title: "Sign in", main, status: isFirst ? 200 : 403 });
}

const pages = /^\/(?:queue|today|runs(?:\/[\w-]{1,100})?)?$/;

/** Where somebody wants to be after signing in: a page of ours, whatever a link says. */
export const wantedPath = (given: string | null): string =>
  given !== null && pages.test(given) ? given : "/";

import { html } from "../../../src/views/html/html.ts";
import type { PageAnswer, PageRequest } from "../../webhooks/route.ts";
import { renderAppPage } from "../frame/frame.ts";

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

/** The page to show after signing in: only one of the App's pages, whatever a link says. */
export const wantedPath = (given: string | null): string =>
  given !== null && pages.test(given) ? given : "/";

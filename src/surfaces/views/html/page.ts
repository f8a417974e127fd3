import { createHash } from "node:crypto";
import { type Html, html, markupOf, ownMarkup } from "./html.ts";
import { style } from "./style.ts";

/** How a page of ours begins: by this it is known when it is to be written again. */
export const pageStart = "<!doctype html>\n<!-- ralph:page -->\n";

const digest = createHash("sha256").update(style).digest("base64");

/** Nothing may be loaded, run, sent or embedded; the one style is known by its digest. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${digest}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** A whole page: one file that needs no other, runs nothing and asks nobody. */
export function renderPage({ title, body }: { title: string; body: Html }): string {
  const page = html`
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${ownMarkup(policy)}">
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <meta name="robots" content="noindex">
    <link rel="icon" href="data:,">
    <title>${title}</title>
    <style>${ownMarkup(style)}</style>
    </head>
    <body>${body}</body>
    </html>`;
  return `${pageStart}${markupOf(page)}\n`;
}

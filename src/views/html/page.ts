import { createHash } from "node:crypto";
import { type Html, html, markupOf, ownMarkup } from "./html.ts";
import { style } from "./style.ts";

/** The beginning of ralph's pages; it identifies them before they are overwritten. */
export const pageStart = "<!doctype html>\n<!-- ralph:page -->\n";

/** The style of a kind of page, and whether its forms may post to its origin. */
export interface Look {
  style: string;
  forms: "none" | "self";
}

/** Nothing may be loaded, run, sent or embedded; the digest allows the one style. */
export function contentPolicyOf({ style, forms }: Look): string {
  const digest = createHash("sha256").update(style).digest("base64");
  return [
    "default-src 'none'",
    `style-src 'sha256-${digest}'`,
    "img-src data:",
    "base-uri 'none'",
    `form-action '${forms}'`,
  ].join("; ");
}

const fileLook: Look = { style, forms: "none" };
const filePolicy = contentPolicyOf(fileLook);

/** A whole page in one file, without scripts or requests. */
export const renderPage = (page: { title: string; body: Html }): string =>
  renderWith(page, { ...fileLook, policy: filePolicy });

/** A whole page with its own look; `policy` is that look's content policy. */
export function renderWith(
  { title, body }: { title: string; body: Html },
  { style, policy }: Look & { policy: string },
): string {
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

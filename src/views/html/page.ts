import { createHash } from "node:crypto";
import { type Html, html, markupOf, ownMarkup } from "./html.ts";
import { style } from "./style.ts";

/** The beginning of ralph's pages; it identifies them before they are overwritten. */
export const pageStart = "<!doctype html>\n<!-- ralph:page -->\n";

/** The style of a kind of page, and what its origin may do in it. */
export interface Look {
  style: string;
  /** Whether forms may post to its origin. */
  forms: "none" | "self";
  /** The only script that runs; it may only ask its origin. */
  script?: string | undefined;
  /** Whether pages of its origin may be embedded. */
  frames?: "self" | undefined;
}

/** Nothing else may be loaded, run, sent or embedded; digests allow the one style and the one script. */
export function contentPolicyOf({ style, forms, script, frames }: Look): string {
  return [
    "default-src 'none'",
    `style-src '${digestOf(style)}'`,
    ...(script === undefined ? [] : [`script-src '${digestOf(script)}'`, "connect-src 'self'"]),
    ...(frames === undefined ? [] : [`frame-src '${frames}'`]),
    "img-src data:",
    "base-uri 'none'",
    `form-action '${forms}'`,
  ].join("; ");
}

const digestOf = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

const fileLook: Look = { style, forms: "none" };
const filePolicy = contentPolicyOf(fileLook);

/** A whole page in one file, without scripts or requests. */
export const renderPage = (page: { title: string; body: Html }): string =>
  renderWith(page, { ...fileLook, policy: filePolicy });

/** A whole page with its own look; `policy` is that look's content policy, `head` what else its head contains. */
export function renderWith(
  { title, body, head }: { title: string; body: Html; head?: Html | undefined },
  { style, script, policy }: Look & { policy: string },
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
    ${head}
    ${script !== undefined && html`<script>${ownMarkup(script)}</script>`}
    </head>
    <body>${body}</body>
    </html>`;
  return `${pageStart}${markupOf(page)}\n`;
}

import { escapeHtml } from "../../src/views/html/html.ts";
import type { CreatedApp } from "./convert-code.ts";

const style =
  "body{font:1.1rem/1.6 system-ui,sans-serif;max-width:38rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}button{font:inherit;font-weight:600;padding:.5rem 1.2rem}code{overflow-wrap:anywhere}";

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style><main><h1>${escapeHtml(title)}</h1>${body}</main></html>\n`;

/** The one button: it takes the manifest to GitHub, where a person confirms it. Pure. */
export function renderSetupPage({
  action,
  manifest,
}: {
  action: string;
  manifest: string;
}): string {
  return page(
    "Create ralph's GitHub App",
    `<p>GitHub shows you the App with its permissions, and creates it when you say so. Its key and secrets come back to this machine and nowhere else.</p><form method="post" action="${escapeHtml(action)}"><input type="hidden" name="manifest" value="${escapeHtml(manifest)}"><button>Go to GitHub</button></form>`,
  );
}

/** What comes next. Pure. */
export function renderDonePage(app: CreatedApp, file: string): string {
  return page(
    "The App is there",
    `<p>Its settings are in <code>${escapeHtml(file)}</code>; only you can read that file.</p><ol><li>Start it: <code>npm run app</code></li><li><a href="${escapeHtml(installUrl(app))}">Install it</a> in the repositories it is to work in. Each gets a pull request that sets it up.</li></ol><p>You can close this page.</p>`,
  );
}

export const renderErrorPage = (words: string): string =>
  page("That did not work", `<p>${escapeHtml(words)}</p>`);

/** Where an owner chooses repositories. */
export const installUrl = ({ html_url: url }: Pick<CreatedApp, "html_url">): string =>
  `${url.replace(/\/$/, "")}/installations/new`;

import { escapeHtml } from "../../src/views/html/html.ts";
import type { CreatedApp } from "./manifest.ts";

const style =
  "body{font:1.1rem/1.6 system-ui,sans-serif;max-width:38rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}button{font:inherit;font-weight:600;padding:.5rem 1.2rem}code{overflow-wrap:anywhere}";

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style><main><h1>${escapeHtml(title)}</h1>${body}</main></html>\n`;

/** The page with the button that sends the manifest to GitHub, where a person confirms it. Pure. */
export function renderSetupPage({
  action,
  manifest,
}: {
  action: string;
  manifest: string;
}): string {
  return page(
    "Create ralph's GitHub App",
    `<p>GitHub shows you the App with its permissions, and creates it when you confirm. GitHub sends its key and secrets only to this machine.</p><form method="post" action="${escapeHtml(action)}"><input type="hidden" name="manifest" value="${escapeHtml(manifest)}"><button>Go to GitHub</button></form>`,
  );
}

/** The page with the next steps. Pure. */
export function renderDonePage(app: CreatedApp, file: string): string {
  return page(
    "The App was created",
    `<p>Its settings are in <code>${escapeHtml(file)}</code>; only you can read that file.</p><ol><li>Start it: <code>npm run app</code></li><li><a href="${escapeHtml(installUrl(app))}">Install it</a> in your repositories. Each gets a setup pull request.</li></ol><p>You can close this page.</p>`,
  );
}

export const renderErrorPage = (message: string): string =>
  page("Something went wrong", `<p>${escapeHtml(message)}</p>`);

/** The page where an owner chooses repositories. */
export const installUrl = ({ html_url: url }: Pick<CreatedApp, "html_url">): string =>
  `${url.replace(/\/$/, "")}/installations/new`;

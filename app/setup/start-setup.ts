import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { RalphError } from "../../src/error.ts";
import { isSameSecret, writeSecretFile } from "../../src/platform/secrets/secret-file.ts";
import type { System } from "../../src/platform/system.ts";
import { renderAppEnv } from "../settings/app-env.ts";
import {
  type CreatedApp,
  convertCode,
  type Manifest,
  readManifest,
  renderManifest,
} from "./manifest.ts";
import { renderDonePage, renderErrorPage, renderSetupPage } from "./setup-pages.ts";
import type { SetupSettings } from "./setup-settings.ts";

export interface RunningSetup extends AsyncDisposable {
  /** The page to open in the browser. */
  url: string;
  /** Resolves once the App exists and its settings are saved. */
  created: Promise<CreatedApp>;
}

type Setup = {
  settings: SetupSettings;
  manifest: Manifest;
  /** GitHub returns it; a request without it did not start on the setup page. */
  state: string;
  url: string;
  settle: (app: CreatedApp) => void;
};

type Page = { status: number; body: string };

/** Serves the setup pages, on this machine only, until the App is created. */
export async function startSetup(
  system: Pick<System, "files" | "randomHex">,
  settings: SetupSettings,
): Promise<RunningSetup> {
  const { promise: created, resolve: settle } = Promise.withResolvers<CreatedApp>();
  const manifest = await readManifest(system);
  const state = system.randomHex(16);
  const server = createServer((request, response) => {
    const url = addressOf(server);
    answer({ settings, manifest, state, url, settle }, request)
      .catch(errorPage)
      .then((page) => send(response, { page, settings }));
  });
  await listen(server, settings.port);
  return {
    url: `${addressOf(server)}/setup`,
    created,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening").catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new RalphError("config", {
      message: `The setup page cannot be served on 127.0.0.1, port ${port}: ${reason}.`,
      remedy:
        "Choose another port (`PORT=3001 npm run app -- setup`), or a machine with this address.",
      cause,
    });
  });
}

const addressOf = (server: Server) =>
  `http://127.0.0.1:${(server.address() as AddressInfo | null)?.port}`;

async function answer(setup: Setup, { method, url, headers }: IncomingMessage): Promise<Page> {
  const asked = new URL(url ?? "", setup.url);
  // Refuse other sites whose name resolves to this machine.
  if (method !== "GET" || headers.host !== new URL(setup.url).host) return missing;
  if (asked.pathname === "/setup") return { status: 200, body: firstPage(setup) };
  return asked.pathname === "/setup/done" ? finish(setup, asked.searchParams) : missing;
}

const missing: Page = { status: 404, body: renderErrorPage("This page does not exist.") };

function firstPage({ settings, manifest, state, url }: Setup): string {
  const { createUrl, publicUrl } = settings;
  const rendered = renderManifest(manifest, { publicUrl, doneUrl: `${url}/setup/done` });
  return renderSetupPage({ action: `${createUrl}?state=${state}`, manifest: rendered });
}

async function finish({ settings, state, settle }: Setup, query: URLSearchParams): Promise<Page> {
  const code = query.get("code") ?? "";
  if (!isSameSecret(query.get("state") ?? "", state) || !/^[\w-]{1,200}$/.test(code)) {
    return {
      status: 400,
      body: renderErrorPage("This answer does not come from GitHub. Start again at /setup."),
    };
  }
  const app = await convertCode(settings.apiUrl, code);
  keep(app, settings);
  settle(app);
  return { status: 200, body: renderDonePage(app, settings.file) };
}

function keep(app: CreatedApp, { file, publicUrl }: SetupSettings): void {
  const text = renderAppEnv({
    APP_ID: String(app.id),
    PRIVATE_KEY: app.pem,
    WEBHOOK_SECRET: app.webhook_secret,
    GITHUB_CLIENT_ID: app.client_id,
    GITHUB_CLIENT_SECRET: app.client_secret,
    PUBLIC_URL: publicUrl,
  });
  if (writeSecretFile(file, text)) return;
  throw new RalphError("config", {
    message: `${file} was created in the meantime, and was not overwritten.`,
    remedy: `Delete the App at ${app.html_url}, and start over.`,
  });
}

function errorPage(error: unknown): Page {
  const message =
    error instanceof RalphError
      ? `${error.message} ${error.remedy}`
      : "An internal error occurred.";
  return { status: 502, body: renderErrorPage(message) };
}

function send(
  response: ServerResponse,
  { page: { status, body }, settings }: { page: Page; settings: SetupSettings },
): void {
  const form = new URL(settings.createUrl).origin;
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; form-action ${form}; frame-ancestors 'none'; base-uri 'none'`,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(body);
}

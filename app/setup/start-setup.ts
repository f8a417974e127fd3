import { timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { RalphError } from "../../src/error.ts";
import { writeSecretFile } from "../../src/platform/secrets/secret-file.ts";
import type { System } from "../../src/platform/system.ts";
import { renderAppEnv } from "../settings/app-env.ts";
import { type CreatedApp, convertCode } from "./convert-code.ts";
import { type Manifest, readManifest, renderManifest } from "./manifest.ts";
import { renderDonePage, renderErrorPage, renderSetupPage } from "./setup-pages.ts";
import type { SetupSettings } from "./setup-settings.ts";

export interface RunningSetup extends AsyncDisposable {
  /** What a person opens in the browser. */
  url: string;
  /** Once the App is there and its settings are written. */
  created: Promise<CreatedApp>;
}

type Setup = {
  settings: SetupSettings;
  manifest: Manifest;
  /** GitHub hands it back: whoever does not know it has not come from our page. */
  state: string;
  url: string;
  settle: (app: CreatedApp) => void;
};

type Page = { status: number; body: string };

/** Listens on this machine only, for as long as it takes to create the App. */
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
      .catch(troublePage)
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
    throw new RalphError("config", {
      message: `Port ${port} of this machine is not free.`,
      remedy: "Name another one: `PORT=3001 npm run app -- setup`.",
      cause,
    });
  });
}

const addressOf = (server: Server) =>
  `http://127.0.0.1:${(server.address() as AddressInfo | null)?.port}`;

async function answer(setup: Setup, { method, url, headers }: IncomingMessage): Promise<Page> {
  const asked = new URL(url ?? "", setup.url);
  // Another site whose name leads here would have its own name in this line.
  if (method !== "GET" || headers.host !== new URL(setup.url).host) return missing;
  if (asked.pathname === "/setup") return { status: 200, body: firstPage(setup) };
  return asked.pathname === "/setup/done" ? finish(setup, asked.searchParams) : missing;
}

const missing: Page = { status: 404, body: renderErrorPage("There is nothing here.") };

function firstPage({ settings, manifest, state, url }: Setup): string {
  const { createUrl, publicUrl } = settings;
  const rendered = renderManifest(manifest, { publicUrl, doneUrl: `${url}/setup/done` });
  return renderSetupPage({ action: `${createUrl}?state=${state}`, manifest: rendered });
}

async function finish({ settings, state, settle }: Setup, query: URLSearchParams): Promise<Page> {
  const code = query.get("code") ?? "";
  if (!isSame(query.get("state") ?? "", state) || !/^[\w-]{1,200}$/.test(code)) {
    return {
      status: 400,
      body: renderErrorPage("This is no answer of GitHub's. Begin again at /setup."),
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
    message: `${file} has come to be there meanwhile, and was not written over.`,
    remedy: `Delete the App at ${app.html_url}, and begin again.`,
  });
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function troublePage(error: unknown): Page {
  const words =
    error instanceof RalphError
      ? `${error.message} ${error.remedy}`
      : "Something is wrong in ralph.";
  return { status: 502, body: renderErrorPage(words) };
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

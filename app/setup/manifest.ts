import * as z from "zod";
import { RalphError } from "../../src/error.ts";
import type { System } from "../../src/platform/system.ts";
import { parseYaml } from "../../src/sources/parse-yaml.ts";
import { callbackPath, webhookPath } from "../settings/settings.ts";

const Access = z.enum(["read", "write"]);

/** The content of app/app.yml; it may have no other keys. */
const Manifest = z.strictObject({
  name: z.string().max(34),
  url: z.url(),
  description: z.string(),
  public: z.boolean(),
  default_permissions: z.record(z.string(), Access),
  default_events: z.array(z.string()),
});
export type Manifest = z.output<typeof Manifest>;

const maxBytes = 64 * 1024;
const home = new URL("../", import.meta.url).pathname;

/** Reads app/app.yml. */
export async function readManifest({ files }: Pick<System, "files">): Promise<Manifest> {
  const bytes = await files(home).read("app.yml");
  const parsed = parseYaml({ bytes: bytes ?? Buffer.alloc(0), file: "app/app.yml", maxBytes });
  if (parsed.kind === "refused") throw new Error("app/app.yml is invalid.");
  return Manifest.parse(parsed.value);
}

/** The manifest for GitHub, with the addresses of this App. Pure. */
export function renderManifest(
  manifest: Manifest,
  { publicUrl, doneUrl }: { publicUrl: string; doneUrl: string },
): string {
  return JSON.stringify({
    ...manifest,
    hook_attributes: { url: new URL(webhookPath, publicUrl).href, active: true },
    redirect_url: doneUrl,
    callback_urls: [new URL(callbackPath, publicUrl).href],
    request_oauth_on_install: false,
  });
}

const Created = z.object({
  id: z.int(),
  slug: z.string().regex(/^[\w-]{1,100}$/),
  html_url: z.url(),
  client_id: z.string(),
  client_secret: z.string(),
  webhook_secret: z.string().min(16),
  pem: z.string().includes("PRIVATE KEY"),
});

/** A newly created App with its secrets, which GitHub shows only once. */
export type CreatedApp = z.output<typeof Created>;

const requestMs = 30_000;

/** Exchanges the code of an accepted manifest for the App's key and secrets; possible once, within an hour. */
export async function convertCode(apiUrl: string, code: string): Promise<CreatedApp> {
  const answer = await fetch(`${apiUrl}/app-manifests/${encodeURIComponent(code)}/conversions`, {
    method: "POST",
    headers: { accept: "application/vnd.github+json", "user-agent": "ralph" },
    signal: AbortSignal.timeout(requestMs),
  }).catch((cause: unknown) => {
    throw conversionFailed("could not be reached", cause);
  });
  if (answer.status !== 201) throw conversionFailed(`answered ${answer.status}`);
  return Created.parse(await answer.json());
}

const conversionFailed = (problem: string, cause?: unknown) =>
  new RalphError("config", {
    message: `GitHub ${problem} when ralph requested the new App's key.`,
    remedy:
      "Delete the App in GitHub's settings under Developer settings, GitHub Apps, and start over.",
    ...(cause !== undefined && { cause }),
  });

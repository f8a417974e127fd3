import * as z from "zod";
import type { System } from "../../src/platform/system.ts";
import { parseYaml } from "../../src/sources/parse-yaml.ts";
import { callbackPath, webhookPath } from "../settings/paths.ts";

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
